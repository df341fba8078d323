import ts from 'typescript';

/** Members of exported interfaces and words of exported unions, read from a package's source. */
export class Types {
  readonly #checker: ts.TypeChecker;
  readonly #exports: ReadonlyMap<string, ts.Symbol>;

  constructor(program: ts.Program, entry: string) {
    this.#checker = program.getTypeChecker();
    const file = program.getSourceFile(entry);
    const module = file && this.#checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} is no module of the program`);
    this.#exports = new Map(this.#checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  }

  #type(name: string): ts.Type {
    const symbol = this.#exports.get(name);
    if (symbol === undefined) throw new Error(`${name} is not exported`);
    const target = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return this.#checker.getDeclaredTypeOfSymbol(target);
  }

  /** Names of an interface's or a class's public members, inherited ones included. */
  membersOf(name: string): string[] {
    return this.#checker
      .getPropertiesOfType(this.#type(name))
      .map((symbol) => symbol.name)
      .filter((member) => /^[a-z]/i.test(member));
  }

  /** The words of a union of string literals. */
  wordsOf(name: string): string[] {
    const type = this.#type(name);
    const parts = type.isUnion() ? type.types : [type];
    return parts.map((part) => {
      if (!part.isStringLiteral()) throw new Error(`${name} is no union of words`);
      return part.value;
    });
  }
}
