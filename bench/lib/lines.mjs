/** Splits decoded text into lines: feed it chunks, it calls `onLine` for each complete one. */
export function lineSplitter(onLine) {
  let pending = '';
  return (chunk) => {
    pending += chunk;
    let from = 0;
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n', from)) {
      onLine(pending.slice(from, end));
      from = end + 1;
    }
    pending = pending.slice(from);
  };
}
