const MASK = '***';
const secretName = /auth|cookie|credential|key|pass|pwd|secret|session|sig|token/i;

/** Whether a header, query parameter, flag or variable of this name is likely to hold a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Header values as they may be shown: those that are secrets masked. */
export function maskHeader(name: string, value: string): string {
  return isSecretName(name) ? MASK : value;
}

/** An address as it may be shown: user name, password and secret query parameters masked. */
export function maskUrl(url: URL, mask: (secret: string) => string = () => MASK): string {
  const user = url.username === '' && url.password === '' ? '' : `${mask(`${url.username}:${url.password}`)}@`;
  let query = '';
  for (const part of url.search.slice(1).split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const shown = equals >= 0 && isSecretName(name) ? `${name}=${mask(part.slice(equals + 1))}` : part;
    query += `${query === '' ? '?' : '&'}${shown}`;
  }
  return `${url.protocol}//${user}${url.host}${url.pathname}${query}`;
}

/** A command line as it may be shown: values of flags and assignments with secret names masked, words with spaces quoted. */
export function maskCommand(words: readonly string[], mask: (secret: string) => string = () => MASK): string {
  let masking = false;
  const shown = words.map((word) => {
    if (masking && !word.startsWith('-')) {
      masking = false;
      return mask(word);
    }
    masking = false;
    const equals = word.indexOf('=');
    if (equals > 0 && isSecretName(word.slice(0, equals)))
      return quote(word.slice(0, equals + 1) + mask(word.slice(equals + 1)));
    if (word.startsWith('-') && equals < 0) masking = isSecretName(word);
    return quote(word);
  });
  return shown.join(' ');
}

/** Eight hexadecimal digits that differ where secrets differ and from which no secret can be read back (FNV-1a). */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return `#${(hash >>> 0).toString(16).padStart(8, '0')}`;
}

const quote = (word: string): string => (/^[\w@%+=:,./*#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
