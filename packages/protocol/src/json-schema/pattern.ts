import { type Automaton, automatonOf, overlap } from './pattern-automaton.ts';

/** Places in a pattern, and pairs of moves looked at, beyond which a pattern counts as dangerous. */
const MAX_STATES = 600;
const MAX_MOVES = 1_000_000;

/**
 * Why a backtracking engine can take exponential time on a pattern; undefined if it cannot.
 *
 * The test is whether one text can be read in two ways that begin and end in the same place of the pattern, as `aa` can in
 * `(a+)+` and `(a|a)*`. Such a place doubles the ways with every turn. Errs on the side of danger: for patterns that are
 * very large, and beyond ASCII, where any two sets of characters count as overlapping.
 */
export function patternDanger(pattern: RegExp): string | undefined {
  const automaton = automatonOf(pattern, MAX_STATES);
  if (automaton === undefined) return `it has more than ${MAX_STATES} places, too many to tell`;
  if (automaton.doubled) return 'a repetition repeats another one with nothing fixed between the turns';
  return ambiguousLoop(automaton);
}

/** Looks for a pair of different states that can be reached from one state by one text, and can both get back to one state. */
function ambiguousLoop({ sets, follow }: Automaton): string | undefined {
  const size = sets.length;
  const from = new Map<number, number[]>();
  const seen = new Uint8Array(size * size);
  const queue: number[] = [];
  const component = components(follow);
  for (let state = 0; state < size; state++) {
    seen[state * size + state] = 1;
    queue.push(state * size + state);
  }
  let moves = 0;
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const left = Math.floor(pair / size);
    const right = pair % size;
    for (const a of follow[left]!) {
      if (component[a] !== component[left]) continue;
      for (const b of follow[right]!) {
        if (component[b] !== component[right]) continue;
        if (++moves > MAX_MOVES) return 'it is too intricate to tell';
        if (!overlap(sets[a]!, sets[b]!)) continue;
        const next = a * size + b;
        const sources = from.get(next);
        if (sources === undefined) from.set(next, [pair]);
        else sources.push(pair);
        if (seen[next] === 1) continue;
        seen[next] = 1;
        queue.push(next);
      }
    }
  }
  return reachesApart(from, size) ? 'what it repeats can be split into turns in more than one way' : undefined;
}

/** Goes back from pairs of one state with itself. Every pair in `from` is reachable from such a pair. */
function reachesApart(from: ReadonlyMap<number, readonly number[]>, size: number): boolean {
  const back = new Set<number>();
  const queue: number[] = [];
  for (let state = 0; state < size; state++) queue.push(state * size + state);
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    for (const source of from.get(pair) ?? []) {
      if (back.has(source)) continue;
      if (Math.floor(source / size) !== source % size) return true;
      back.add(source);
      queue.push(source);
    }
  }
  return false;
}

/** The strongly connected component of each state (Tarjan, without recursion). */
function components(follow: Automaton['follow']): Int32Array {
  const component = new Int32Array(follow.length).fill(-1);
  const index = new Int32Array(follow.length).fill(-1);
  const low = new Int32Array(follow.length);
  const open: number[] = [];
  let counter = 0;
  for (let root = 0; root < follow.length; root++) {
    if (index[root] !== -1) continue;
    const path: { state: number; moves: Iterator<number> }[] = [{ state: root, moves: follow[root]!.values() }];
    index[root] = low[root] = counter++;
    open.push(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { state, moves } = top;
      const move = moves.next();
      if (move.done !== true) {
        const to = move.value;
        if (index[to] === -1) {
          index[to] = low[to] = counter++;
          open.push(to);
          path.push({ state: to, moves: follow[to]!.values() });
        } else if (component[to] === -1) low[state] = Math.min(low[state]!, index[to]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent.state] = Math.min(low[parent.state]!, low[state]!);
      if (low[state] !== index[state]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component[member] = state;
        if (member === state) break;
      }
    }
  }
  return component;
}

/**
 * In which power of the text's length the time of a pattern can grow at most, given that it is not exponential: 0 for
 * patterns that repeat nothing, 1 for linear, 2 for quadratic, and so on.
 */
export function patternDegree(pattern: RegExp): number {
  const automaton = automatonOf(pattern, MAX_STATES);
  if (automaton === undefined) return 3;
  const { sets, follow } = automaton;
  const component = components(follow);
  const loops = new Set<number>();
  follow.forEach((moves, state) => {
    for (const to of moves) if (component[to] === component[state]) loops.add(component[state]!);
  });
  if (loops.size === 0) return 0;
  const members = new Map<number, number[]>();
  component.forEach((loop, state) => {
    if (loops.has(loop)) members.set(loop, [...(members.get(loop) ?? []), state]);
  });
  const shared = (state: number, loop: number) =>
    members.get(loop)!.some((member) => overlap(sets[member]!, sets[state]!));
  const degrees = new Map<number, number>();
  // A text can be cut between two loops in many places only if what lies between could belong to the first one as well.
  const degree = (loop: number): number => {
    const known = degrees.get(loop);
    if (known !== undefined) return known;
    const reached = new Set(members.get(loop));
    let most = 0;
    for (const state of reached) {
      for (const to of follow[state]!) {
        if (reached.has(to) || !shared(to, loop)) continue;
        reached.add(to);
        const other = component[to]!;
        if (loops.has(other)) most = Math.max(most, degree(other));
      }
    }
    degrees.set(loop, most + 1);
    return most + 1;
  };
  const longest = Math.max(...[...loops].map(degree));
  return longest + (automaton.anchored ? 0 : 1) + (automaton.lookaround ? 1 : 0);
}
