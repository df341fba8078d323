import type { DragomanError } from '../errors.ts';
import { schemaError } from './copy.ts';
import type { SchemaNode } from './graph.ts';
import type { CompleteLimits } from './port.ts';

/** Refuses schemas that apply too many subschemas, or endlessly many, without going into the value. */
export function checkHops(
  root: SchemaNode,
  nodes: Iterable<SchemaNode>,
  limits: CompleteLimits,
): DragomanError | undefined {
  const lengths = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const measure = (node: SchemaNode): number | DragomanError => {
    const known = lengths.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) {
      return schemaError(
        'cycle',
        node.place.pointer,
        'it refers to itself without going into the value, so no check against it could end. Recursion has to pass through properties, items or the like',
      );
    }
    if (open.size >= limits.maxHops) return tooManyHops(node, limits);
    open.add(node);
    let longest = 0;
    for (const next of node.same) {
      const length = measure(next);
      if (typeof length !== 'number') return length;
      longest = Math.max(longest, length);
    }
    open.delete(node);
    if (longest + 1 > limits.maxHops) return tooManyHops(node, limits);
    lengths.set(node, longest + 1);
    return longest + 1;
  };
  for (const node of [root, ...nodes]) {
    const length = measure(node);
    if (typeof length !== 'number') return length;
  }
  return undefined;
}

function tooManyHops(node: SchemaNode, limits: CompleteLimits): DragomanError {
  return schemaError(
    'limit',
    node.place.pointer,
    `more than ${limits.maxHops} subschemas follow one another for the same value (maxHops)`,
  );
}

/** The number of ways from the root down, which is what a check costs at most for a value of constant size. Infinity if there is a circle. */
export function countPaths(root: SchemaNode): number {
  const sizes = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>([root]);
  const path: { node: SchemaNode; next: number }[] = [{ node: root, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { node } = top;
    const { same, parts } = node;
    const child = top.next < same.length ? same[top.next] : parts[top.next - same.length];
    if (child !== undefined) {
      top.next++;
      if (open.has(child)) return Number.POSITIVE_INFINITY;
      if (sizes.has(child)) continue;
      open.add(child);
      path.push({ node: child, next: 0 });
      continue;
    }
    let size = 1;
    for (const below of same) size += sizes.get(below) ?? 0;
    for (const below of parts) size += sizes.get(below) ?? 0;
    sizes.set(node, size);
    open.delete(node);
    path.pop();
  }
  return sizes.get(root) ?? 1;
}
