import type { Server } from '@dragoman/server';

/** A resource that changes by itself: once a second for whoever watches it. */
export function addClock(server: Server): void {
  server.resource(
    'clock://now',
    { name: 'clock', title: 'Clock', description: 'The time, every second', mimeType: 'text/plain' },
    () => new Date().toISOString(),
  );
  const tick = setInterval(() => server.changed.resource('clock://now'), 1000);
  // The clock keeps no process alive.
  tick.unref();
}
