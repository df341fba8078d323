/** A word as a POSIX shell takes it: in single quotes where it holds anything that a shell would look at. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
