/** JSON with members in the order of their names, so that equal values have equal text (after RFC 8785 §3.2.3). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = value as { readonly [name: string]: unknown };
  // Object.fromEntries defines members, so that one called `__proto__` stays one.
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, sorted(members[name])]),
  );
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
