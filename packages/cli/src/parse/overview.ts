import { commands } from '../commands/index.ts';
import { usageOf } from './commander.ts';

/** The help of the program as a whole. */
export function overview(version: string): string {
  const shown = [...commands.values()].filter((spec) => spec.hidden !== true);
  const usages = shown.map((spec) => `${spec.name} ${usageOf(spec).replace(/ ?\[options\]$/, '')}`.trimEnd());
  const width = Math.max(...usages.map((usage) => usage.length));
  const lines = shown.map((spec, i) => `  ${usages[i]!.padEnd(width)}  ${spec.summary}`);
  return `dragoman ${version}: use, debug and operate MCP servers

Usage: dragoman COMMAND SERVER [...] [options]

Commands:
${lines.join('\n')}

SERVER is one of:
  https://mcp.example.com/mcp   a URL; https:// is assumed, http:// for loopback
  -- npx -y @scope/server       a command, at the end of the line
  "node server.js"              the same, as one quoted word (no shell)
  ./server.mjs                  a script file, run with this Node
  demo                          the built-in server that shows every feature

Exit status: 0 done, 1 the tool failed, 2 wrong arguments, 3 not reachable, 4 not authorized, 5 protocol error,
  6 input needed, 7 timed out, 8 breaks its schema (--strict), 9 refused here, 130 interrupted

Try: dragoman tools demo
     dragoman COMMAND --help
`;
}
