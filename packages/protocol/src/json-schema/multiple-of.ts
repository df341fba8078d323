/**
 * Whether a number is a multiple of another, as decimal numbers: 19.99 is one of 0.01, although their binary quotient is
 * not whole (validation §6.2.1). Allows for the rounding of the operands, and no more.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  if (Number.isInteger(quotient)) return true;
  if (!Number.isFinite(quotient)) return Number.isFinite(value) && value % divisor === 0;
  const nearest = Math.round(quotient);
  if (nearest === 0) return value === 0;
  return Math.abs(quotient - nearest) <= Math.abs(quotient) * 4 * Number.EPSILON;
}
