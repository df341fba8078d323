// C0 and C1 controls, the characters that turn the direction of text, and the two line ends that only some readers know.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of a peer as one line of a message: what could steer a terminal or a log is escaped, and what is longer than `max`
 * characters is cut.
 */
export function printable(text: string, max = 200): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text;
  return cut.trim().replace(unsafe, shown);
}

function shown(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return ' ';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
