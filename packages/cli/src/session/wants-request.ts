import type { Options } from '../invocation.ts';

/** Whether the request is to be looked at instead of sent. */
export const wantsRequest = (options: Options): boolean => options.dryRun === true || options.curl === true;
