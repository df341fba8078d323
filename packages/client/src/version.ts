/** Version of this package, as it is told to servers. */
export const VERSION = '0.1.0';
