// For its effect alone: `import '@dragoman/server/guard-stdout'` ahead of every other import.
import { guardStdout } from './stdout-guard.ts';

guardStdout();
