import { crc32, deflateSync } from 'node:zlib';

/** A PNG of coloured squares, `side` pixels wide and high, as Base64 (PNG specification §5). */
export function picture(side: number): string {
  const rows = Buffer.alloc(side * (side * 3 + 1));
  for (let y = 0; y < side; y++) {
    const row = y * (side * 3 + 1);
    for (let x = 0; x < side; x++) {
      const dark = (Math.floor((x * 8) / side) + Math.floor((y * 8) / side)) % 2 === 0;
      const at = row + 1 + x * 3;
      rows[at] = dark ? 24 : 40 + Math.floor((180 * x) / side);
      rows[at + 1] = dark ? 78 : 120;
      rows[at + 2] = dark ? 119 : 60 + Math.floor((180 * y) / side);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]).toString('base64');
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
