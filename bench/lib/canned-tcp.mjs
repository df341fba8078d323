// Answers every packet with the same bytes, unread. Tells its parent the port.
import net from 'node:net';

const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
const reply = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);
const server = net.createServer({ noDelay: true }, (s) => {
  s.on('data', () => s.write(reply));
  s.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));
