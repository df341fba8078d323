/**
 * Whether two JSON values are equal (core §4.2.2): objects whatever the order of their members, numbers by their value.
 * Goes no deeper than the shallower of the two.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!isEqual(left[i], right[i])) return false;
    return true;
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  const [a, b] = [left as { [name: string]: unknown }, right as { [name: string]: unknown }];
  for (const name of names) if (!Object.hasOwn(b, name) || !isEqual(a[name], b[name])) return false;
  return true;
}
