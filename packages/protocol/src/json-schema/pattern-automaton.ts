/**
 * The automaton of a regular expression without epsilon moves (Glushkov): one state per place of the pattern that takes a
 * character. Lookarounds stand in it as parts of their own. Counted repetition is read as unbounded; `doubled` says that
 * one move between two states can come about in two ways, as in `(a*)*`.
 */
export interface Automaton {
  /** What each state takes. */
  readonly sets: readonly CharSet[];
  /** Where each state leads. */
  readonly follow: readonly ReadonlySet<number>[];
  readonly doubled: boolean;
  /** Every alternative begins with `^`. */
  readonly anchored: boolean;
  /** There is a lookaround that repeats something. */
  readonly lookaround: boolean;
}

/** Characters that a state takes: exact for ASCII; for the rest only whether there are any. */
export interface CharSet {
  /** Four times 32 bits: U+0000 to U+007F. */
  readonly ascii: readonly number[];
  readonly wide: boolean;
}

/** Whether a character can be in both. Errs on the side of yes. */
export function overlap(a: CharSet, b: CharSet): boolean {
  if (a.wide && b.wide) return true;
  for (let i = 0; i < 4; i++) if (((a.ascii[i] ?? 0) & (b.ascii[i] ?? 0)) !== 0) return true;
  return false;
}

interface Part {
  nullable: boolean;
  first: readonly number[];
  last: readonly number[];
  anchored: boolean;
}

const nothing: Part = { nullable: true, first: [], last: [], anchored: false };
const allAscii = String.fromCharCode(...Array(128).keys());
const anything: CharSet = { ascii: [-1, -1, -1, -1], wide: true };

/** Reads a valid regular expression. undefined if it has more than `maxStates` places. */
export function automatonOf(pattern: RegExp, maxStates: number): Automaton | undefined {
  const reader = new PatternReader(pattern.source, pattern.flags, maxStates);
  const whole = reader.alternatives();
  if (reader.tooLarge || !reader.atEnd) return undefined;
  return {
    sets: reader.sets,
    follow: reader.follow,
    doubled: reader.doubled,
    anchored: whole.anchored,
    lookaround: reader.lookaround,
  };
}

/** Reads a pattern that the regular expression engine has already found valid, so there is no malformed input here. */
class PatternReader {
  readonly sets: CharSet[] = [];
  readonly follow: Set<number>[] = [];
  doubled = false;
  lookaround = false;
  tooLarge = false;
  readonly #source: string;
  readonly #flags: string;
  readonly #maxStates: number;
  readonly #known = new Map<string, CharSet>();
  #at = 0;

  constructor(source: string, flags: string, maxStates: number) {
    this.#source = source;
    this.#flags = flags;
    this.#maxStates = maxStates;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternatives(): Part {
    let whole = this.#sequence();
    while (this.#source[this.#at] === '|') {
      this.#at++;
      const other = this.#sequence();
      whole = {
        nullable: whole.nullable || other.nullable,
        first: [...whole.first, ...other.first],
        last: [...whole.last, ...other.last],
        anchored: whole.anchored && other.anchored,
      };
    }
    return whole;
  }

  #sequence(): Part {
    let whole = nothing;
    let begun = false;
    while (!this.atEnd && !this.tooLarge && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      const next = this.#quantified();
      for (const from of whole.last) for (const to of next.first) this.follow[from]?.add(to);
      whole = {
        nullable: whole.nullable && next.nullable,
        first: whole.nullable ? [...whole.first, ...next.first] : whole.first,
        last: next.nullable ? [...whole.last, ...next.last] : next.last,
        anchored: begun ? whole.anchored : next.anchored,
      };
      begun = true;
    }
    return whole;
  }

  #quantified(): Part {
    const part = this.#term();
    const counts = this.#quantifier();
    if (counts === undefined) return part;
    const [min, max] = counts;
    if (max > 1) this.#repeat(part, min, max);
    return { ...part, nullable: part.nullable || min === 0, anchored: part.anchored && min > 0 };
  }

  #repeat(part: Part, min: number, max: number): void {
    // Which of the turns of `(a?){30}` stay empty can be chosen, and whether the first one of `(a?)+` does; turns beyond
    // those that have to be, as in `(a?)*`, are cut off where they stay empty.
    if (part.nullable && (min > 0 || (max > 4 && max !== Number.POSITIVE_INFINITY))) this.doubled = true;
    for (const from of part.last) {
      const moves = this.follow[from];
      if (moves === undefined) continue;
      for (const to of part.first) {
        if (moves.has(to)) this.doubled = true;
        else moves.add(to);
      }
    }
  }

  #quantifier(): readonly [min: number, max: number] | undefined {
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at, this.#at + 64));
    if (match === null) return undefined;
    this.#at += match[0].length;
    if (match[1] === '*') return [0, Number.POSITIVE_INFINITY];
    if (match[1] === '+') return [1, Number.POSITIVE_INFINITY];
    if (match[1] === '?') return [0, 1];
    const min = Number(match[2]);
    return [min, match[3] === '' ? min : match[4] === '' ? Number.POSITIVE_INFINITY : Number(match[4])];
  }

  #term(): Part {
    const char = this.#source[this.#at];
    if (char === '^' || char === '$') {
      this.#at++;
      return { ...nothing, anchored: char === '^' };
    }
    if (char === '(') return this.#group();
    const begin = this.#at;
    if (char === '[') this.#skipClass();
    else if (char === '\\') return this.#escape();
    else this.#at += this.#source.codePointAt(begin)! > 0xffff ? 2 : 1;
    return this.#state(this.#setOf(this.#source.slice(begin, this.#at)));
  }

  #group(): Part {
    const head = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += head.length;
    const before = this.sets.length;
    const inner = this.alternatives();
    this.#at++;
    if (!/^\(\?<?[=!]$/.test(head)) return inner;
    if (this.follow.slice(before).some((moves) => moves.size > 0)) this.lookaround = true;
    return nothing;
  }

  #escape(): Part {
    const rest = this.#source.slice(this.#at);
    if (/^\\[bB]/.test(rest)) {
      this.#at += 2;
      return nothing;
    }
    const reference = /^\\(?:[1-9]\d*|k<[^>]*>)/.exec(rest);
    if (reference !== null) {
      // It may take as much as the group took, or nothing.
      this.#at += reference[0].length;
      const part = this.#state(anything);
      this.#repeat(part, 0, Number.POSITIVE_INFINITY);
      return { ...part, nullable: true };
    }
    const escaped = /^\\(?:c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}|[pP]\{[^}]*\}|[\s\S])/u.exec(
      rest,
    );
    const text = escaped?.[0] ?? '\\\\';
    this.#at += text.length;
    return this.#state(this.#setOf(text));
  }

  #skipClass(): void {
    this.#at++;
    while (!this.atEnd && this.#source[this.#at] !== ']') this.#at += this.#source[this.#at] === '\\' ? 2 : 1;
    this.#at++;
  }

  #state(set: CharSet): Part {
    if (this.sets.length >= this.#maxStates) {
      this.tooLarge = true;
      return nothing;
    }
    const at = this.sets.length;
    this.sets.push(set);
    this.follow.push(new Set());
    return { nullable: false, first: [at], last: [at], anchored: false };
  }

  /** Asks the regular expression engine itself what a class or escape takes: it is the one that will run it. */
  #setOf(atom: string): CharSet {
    const known = this.#known.get(atom);
    if (known !== undefined) return known;
    const ascii = [0, 0, 0, 0];
    const literal = literalOf(atom);
    if (literal !== undefined) {
      ascii[literal >> 5] = 1 << (literal & 31);
      return { ascii, wide: false };
    }
    for (const char of allAscii.match(new RegExp(atom, `${this.#flags}g`)) ?? []) {
      const code = char.charCodeAt(0);
      ascii[code >> 5] = (ascii[code >> 5] ?? 0) | (1 << (code & 31));
    }
    const set: CharSet = { ascii, wide: isWide(atom) };
    this.#known.set(atom, set);
    return set;
  }
}

/** The code of the one ASCII character that an atom plainly stands for. */
function literalOf(atom: string): number | undefined {
  const char = atom.length === 1 && atom !== '.' ? atom : /^\\[^A-Za-z0-9]$/.test(atom) ? atom.charAt(1) : '';
  const code = char.charCodeAt(0);
  return code < 128 ? code : undefined;
}

/** Whether an atom may take anything beyond ASCII. */
function isWide(atom: string): boolean {
  if (atom === '.' || atom.startsWith('[^')) return true;
  return /[^\0-\x7f]|\\[DSWspPuxc]/u.test(atom);
}
