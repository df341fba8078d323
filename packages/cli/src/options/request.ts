import type { OptionGroup } from './option.ts';

/** For commands that send one request: look at it instead of sending it. */
export const requestOptions: OptionGroup = {
  title: 'Request',
  options: [
    { flags: '--dry-run', summary: 'print the request, headers included, and do not send it' },
    { flags: '--curl', summary: 'print the request as a curl command and do not send it' },
  ],
};
