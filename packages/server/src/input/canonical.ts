/**
 * JSON with members in the order of their names, so that equal values have equal text, and others another
 * (after RFC 8785 §3.2.3).
 */
export function canonicalJson(value: unknown): string {
  // A number beyond all that a double holds is read as infinite, which JSON would write as null.
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = value as { readonly [name: string]: unknown };
  const texts: string[] = [];
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) texts.push(`${JSON.stringify(name)}:${canonicalJson(members[name])}`);
  }
  return `{${texts.join()}}`;
}

/**
 * A short fingerprint that tells two texts apart by all likelihood (53 bits, cyrb53). Not for security: what it is made
 * of and where it is kept must be trustworthy already.
 */
export function fingerprint(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
