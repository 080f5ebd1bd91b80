/**
 * A walk begins with one parameter of one function or constructor. It goes on wherever the value, or a part of it, is an argument of a function or constructor of
 * this repository. It ends where the value is stored in a field, at a method that is chosen at run time, and at strings, numbers and
 * booleans.
 */
import * as ast from "typescript/unstable/ast";
import { SymbolFlags, TypeFlags } from "typescript/unstable/sync";
import type { Project, Symbol, Type } from "typescript/unstable/sync";

/** How an expression carries the value: all of it, or in these members of an object literal. */
type Carried = "all" | ReadonlySet<string> | undefined;
type Callable = ast.FunctionLikeDeclaration;

export class Walk {
  /** The files that the value enters, with the names that it has there. */
  readonly rooms = new Map<string, Set<string>>();
  readonly #project: Project;
  /** How the result of a function carries the value, by the function and the names under which the value enters it. */
  readonly #entered = new Map<string, Carried>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** `parameterName`: `*` is all of them at once, so that a bag cannot hide by being divided into two. */
  begin(file: string, functionName: string, parameterName: string): void {
    const source = this.#project.program.getSourceFile(file);
    const declared = source?.statements
      .filter((statement) => ast.isFunctionDeclaration(statement) || ast.isClassDeclaration(statement))
      .find(({ name }) => name?.text === functionName);
    const isClass = declared !== undefined && ast.isClassDeclaration(declared);
    const found = isClass ? declared.members.find(ast.isConstructorDeclaration) : declared;
    const isMeant = ({ name }: ast.ParameterDeclaration): boolean =>
      parameterName === "*" || (ast.isIdentifier(name) && name.text === parameterName);
    if (found === undefined || !found.parameters.some(isMeant))
      throw new Error(`${file} has no function ${functionName}(${parameterName})`);
    this.#enter(
      found,
      found.parameters.map((parameter) => (isMeant(parameter) ? "all" : undefined)),
    );
  }

  /** Returns how the function's result carries the value. */
  #enter(callable: Callable, carried: readonly Carried[]): Carried {
    const { body, parameters } = callable;
    if (body === undefined) return undefined;
    const mine = new Map<Symbol, string>();
    parameters.forEach(({ name }, index) => this.#bind(name, carried[index], mine));
    const file = callable.getSourceFile().fileName;
    const key = `${file} ${callable.pos} ${[...mine.values()].join(" ")}`;
    if (mine.size === 0 || this.#entered.has(key)) return this.#entered.get(key);
    this.#entered.set(key, undefined);
    // Until nothing more is found, because a closure may name what is declared below it.
    for (let before = -1; before < mine.size;) {
      before = mine.size;
      this.#collectNames(body, mine);
    }
    this.rooms.set(file, new Set([...(this.rooms.get(file) ?? []), ...mine.values()]));
    this.#followCalls(body, mine);
    const results = ast.isBlock(body) ? this.#returned(body) : [body];
    const result = merged(results.map((returned) => this.#carried(returned, mine)));
    this.#entered.set(key, result);
    return result;
  }

  #returned(node: ast.Node): readonly ast.Node[] {
    if (ast.isReturnStatement(node)) return node.expression === undefined ? [] : [node.expression];
    if (ast.isFunctionLikeDeclaration(node)) return [];
    const found: ast.Node[] = [];
    node.forEachChild((child) => void found.push(...this.#returned(child)));
    return found;
  }

  #collectNames(node: ast.Node, mine: Map<Symbol, string>): void {
    if (ast.isVariableDeclaration(node) && node.initializer !== undefined)
      this.#bind(node.name, this.#carried(node.initializer, mine), mine);
    node.forEachChild((child) => this.#collectNames(child, mine));
  }

  #followCalls(node: ast.Node, mine: ReadonlyMap<Symbol, string>): void {
    if (ast.isCallExpression(node) || ast.isNewExpression(node)) this.#carried(node, mine);
    node.forEachChild((child) => this.#followCalls(child, mine));
  }

  #bind(name: ast.BindingName, how: Carried, mine: Map<Symbol, string>): void {
    if (how === undefined) return;
    if (ast.isIdentifier(name)) {
      const symbol = this.#project.checker.getSymbolAtLocation(name);
      if (symbol !== undefined && !this.#isFact(symbol)) mine.set(symbol, name.text);
      return;
    }
    for (const element of name.elements) {
      if (!ast.isBindingElement(element) || element.name === undefined) continue;
      const key = (element.propertyName ?? element.name).getText(element.getSourceFile());
      if (how === "all" || how.has(key) || element.dotDotDotToken !== undefined) this.#bind(element.name, "all", mine);
    }
  }

  #isFact(symbol: Symbol): boolean {
    const { checker } = this.#project;
    const type = checker.getTypeOfSymbol(symbol);
    const known = type && checker.getNonNullableType(type);
    const facts = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike;
    const isFact = ({ flags }: Type): boolean => (flags & facts) !== 0;
    return known !== undefined && (known.isUnionType() ? known.getTypes().every(isFact) : isFact(known));
  }

  #carried(node: ast.Node, mine: ReadonlyMap<Symbol, string>): Carried {
    const { checker } = this.#project;
    const isMine = (symbol: Symbol | undefined): boolean => symbol !== undefined && mine.has(symbol);
    if (ast.isIdentifier(node)) return isMine(checker.getSymbolAtLocation(node)) ? "all" : undefined;
    if (ast.isPropertyAccessExpression(node)) return this.#carried(node.expression, mine) && "all";
    if (ast.isCallExpression(node) || ast.isNewExpression(node)) {
      const carried = (node.arguments ?? []).map((argument) => this.#carried(argument, mine));
      const callable = carried.some((how) => how !== undefined) ? this.#callableOf(node.expression) : undefined;
      const result = callable && this.#enter(callable, carried);
      return ast.isNewExpression(node) ? undefined : result;
    }
    if (ast.isArrowFunction(node) || ast.isFunctionExpression(node)) return undefined;
    if (ast.isShorthandPropertyAssignment(node))
      return isMine(checker.getShorthandAssignmentValueSymbol(node))
        ? new Set([node.name.getText(node.getSourceFile())])
        : undefined;
    if (ast.isPropertyAssignment(node))
      return this.#carried(node.initializer, mine) && new Set([node.name.getText(node.getSourceFile())]);
    const parts: Carried[] = [];
    node.forEachChild((child) => void parts.push(this.#carried(child, mine)));
    return ast.isObjectLiteralExpression(node) ? merged(parts) : merged(parts) && "all";
  }

  /** The function that runs, where the code says which. */
  #callableOf(callee: ast.Expression): Callable | undefined {
    const { checker } = this.#project;
    const named = checker.getSymbolAtLocation(ast.isPropertyAccessExpression(callee) ? callee.name : callee);
    if (named === undefined) return undefined;
    const symbol = (named.flags & SymbolFlags.Alias) === 0 ? named : checker.getAliasedSymbol(named);
    const declaration = symbol.valueDeclaration?.resolve(this.#project);
    if (declaration === undefined) return undefined;
    if (ast.isClassDeclaration(declaration)) return declaration.members.find(ast.isConstructorDeclaration);
    if (ast.isFunctionDeclaration(declaration) || ast.isMethodDeclaration(declaration)) return declaration;
    const value = ast.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value !== undefined && ast.isArrowFunction(value) ? value : undefined;
  }
}

function merged(parts: readonly Carried[]): Carried {
  if (parts.includes("all")) return "all";
  const members = parts.flatMap((part) => (part === undefined || part === "all" ? [] : [...part]));
  return members.length === 0 ? undefined : new Set(members);
}
