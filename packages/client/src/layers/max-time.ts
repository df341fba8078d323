import { DragomanError, type Exchange, type Request, type Result } from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { type ClientIO, never } from '../io.ts';
import { abortedError, nameOf } from './deadline.ts';

/**
 * Bounds a whole call, however many requests and questions it takes and whatever progress there is
 * (basic/patterns/cancellation, "Timeouts"). Everything below sees it as an aborted signal.
 */
export function withinMaxTime(
  exchange: Exchange,
  request: Request,
  io: ClientIO,
  milliseconds: number,
  clock: Clock,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const give = (error: DragomanError): void => {
      done();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => give(abortedError(request, io.signal));
    const deadline = clock.monotonic() + milliseconds;
    const onTimer = (): void => {
      const left = deadline - clock.monotonic();
      if (left > 0) {
        timer = clock.setTimeout(onTimer, left);
        return;
      }
      give(
        new DragomanError(
          'TIMEOUT',
          `${nameOf(request)} took longer than ${milliseconds} ms in all; allow more with "maxTime"`,
          {
            details: { method: request.method, option: 'maxTime', milliseconds },
          },
        ),
      );
    };
    let timer = clock.setTimeout(onTimer, milliseconds);
    const done = (): void => {
      clock.clearTimeout(timer);
      if (io.signal !== never) unlistenAbort(io.signal, onAbort);
    };
    if (io.signal.aborted) {
      onAbort();
      return;
    }
    if (io.signal !== never) listenAbort(io.signal, onAbort);
    exchange(request, { ...io, signal: controller.signal })
      .then(resolve, reject)
      .finally(done);
  });
}
