import type { JsonObject } from '@dragoman/protocol';
import type { Step } from './token.ts';

/** How far past its end an array may be extended at once. */
const FURTHEST = 1000;

/** Sets a member, `__proto__` included. */
export function setMember(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Puts a value in its place below `root`, making objects and arrays on the way; gaps in an array are filled with null.
 *
 * @returns what is wrong, or undefined.
 */
export function place(root: JsonObject, path: readonly Step[], value: unknown): string | undefined {
  let target: JsonObject | unknown[] = root;
  for (let i = 0; i < path.length; i += 1) {
    const step = path[i]!;
    const last = i === path.length - 1;
    const key: string | number | undefined =
      'name' in step ? step.name : 'index' in step ? step.index : (target as unknown[]).length;
    if (Array.isArray(target) === 'name' in step) {
      const is = Array.isArray(target) ? 'an array' : 'an object';
      return `${pathText(path.slice(0, i))} is ${is} already`;
    }
    const known: boolean = Array.isArray(target)
      ? (key as number) < target.length && !isGap(target, key as number)
      : Object.hasOwn(target, key);
    if (last && known) return 'it is given twice';
    if (Array.isArray(target) && (key as number) > target.length + FURTHEST) {
      return `the index ${key} is more than ${FURTHEST} past the end`;
    }
    let next: unknown;
    if (last) next = value;
    else if (known) {
      next = (target as JsonObject)[key as string];
      if (typeof next !== 'object' || next === null) return `${pathText(path.slice(0, i + 1))} is a value already`;
      target = next as JsonObject | unknown[];
      continue;
    } else next = 'name' in path[i + 1]! ? {} : [];
    if (Array.isArray(target)) {
      while (target.length < (key as number)) {
        gapsOf(target).add(target.length);
        target.push(null);
      }
      gapsOf(target).delete(key as number);
      target[key as number] = next;
    } else setMember(target, key as string, next);
    target = next as JsonObject | unknown[];
  }
  return undefined;
}

const gaps = new WeakMap<unknown[], Set<number>>();

function gapsOf(array: unknown[]): Set<number> {
  const known = gaps.get(array);
  if (known !== undefined) return known;
  const set = new Set<number>();
  gaps.set(array, set);
  return set;
}

const isGap = (array: unknown[], index: number): boolean => gaps.get(array)?.has(index) === true;

/** A path as it is written in arguments: `items[0].id`. */
function pathText(path: readonly Step[]): string {
  let out = '';
  for (const step of path) {
    if ('name' in step) out += out === '' ? step.name : `.${step.name}`;
    else out += 'index' in step ? `[${step.index}]` : '[]';
  }
  return out;
}
