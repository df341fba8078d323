/** Whether a value has to be waited for. Not only promises: query builders and their like are thenable too. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
