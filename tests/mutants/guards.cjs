// node tests/mutants/guards.cjs [--everything] FILE…    the guards of modules of JavaScript, as JSON: for each file its
// changes, with function, line, text, what is changed, and the edit: from where to where in the source, and what is put
// there. The tree is TypeScript's. What is changed is what tests/mutants/guards.py changes in Python.

const { readFileSync } = require('node:fs');
const ts = require('typescript');

const { SyntaxKind: K } = ts;
const BOUNDARIES = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EQUALITIES = new Set(['===', '!==', '==', '!=', 'in', 'instanceof', ...Object.keys(BOUNDARIES)]);
const CONNECTED = new Set(['&&', '||', '??']);
const CHECKS = /^_*(check|refuse|require|ensure|forbid|verify|validate|admit|reject|fail)/;
const RECORDS = /^_*(error|notice|problem|finding|warn|accuse|differ)|(Error|Refusal|Refused|Finding|Problem|Failure|Refuse)$/;
const LIMITS = /^_*(MAX|MIN|MOST|LEAST|FEWEST|LIMIT)/;
const TOLD = 70;
const everything = process.argv.includes('--everything');

/** Every change of one module. */
function guards(path) {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const lines = text.split('\n');
  const [found, scope, seen] = [[], [], new Map()];
  let functions = 0;
  let deciding = everything; // whether what is looked at decides about a refusal
  let names = new Set(); // variables of the function that decide about one

  const source = (node) => node.getText(file);
  const told = (node) => {
    const words = source(node).replace(/\s+/g, ' ');
    return words.length <= TOLD ? words : `${words.slice(0, TOLD - 1)}…`;
  };

  function add(node, change, start, end, put, refuses = false) {
    if (!functions) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    const [name, words] = [scope.join('.'), lines[line].trim()];
    const key = JSON.stringify([name, words, change]);
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (!refuses && !deciding) return;
    const number = seen.get(key);
    found.push({ function: name, line: line + 1, text: words, change: number === 1 ? change : `${change} #${number}`, start, end, put });
  }

  const instead = (node, change, put, refuses = false) => add(node, change, node.getStart(file), node.getEnd(), put, refuses);

  /** A condition as a whole; of `&&` and `||` the one that dropping an operand does not show already. */
  function test(node, loop) {
    const before = deciding;
    deciding ||= decides(node.parent);
    testAs(node, loop);
    deciding = before;
  }

  function testAs(node, loop) {
    const bare = unwrapped(node);
    if (bare.kind === K.TrueKeyword) return;
    const connected = ts.isBinaryExpression(bare) ? source(bare.operatorToken) : '';
    if (!loop && connected !== '&&') instead(node, 'always', 'true');
    if (connected !== '||') instead(node, 'never', 'false');
  }

  /** `role` is what an expression is for: it decides by itself, with others, or is a value like any other. */
  function see(node, role) {
    const outer = [deciding, names];
    if (ts.isFunctionLike(node) && !(ts.isArrowFunction(node) && deciding)) {
      deciding = everything || isPredicate(node);
      names = decidingNames(node);
    } else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) deciding ||= names.has(node.name.text);
    else if (isAssignment(node) && ts.isIdentifier(node.left)) deciding ||= names.has(node.left.text);
    look(node, role);
    [deciding, names] = outer;
  }

  function look(node, role) {
    if (ts.isBinaryExpression(node)) return binary(node, role);
    if (ts.isParenthesizedExpression(node)) return see(node.expression, role);
    if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
      const inner = unwrapped(node.operand);
      if (role === 'value' && !ts.isBinaryExpression(inner)) instead(node, 'not → (nothing)', `!!${source(node.operand)}`);
      return see(node.operand, role === 'test' ? 'operand' : role);
    }
    if (ts.isIfStatement(node)) test(node.expression, false);
    else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) test(node.expression, true);
    else if (ts.isForStatement(node) && node.condition) test(node.condition, true);
    else if (ts.isConditionalExpression(node)) test(node.condition, false);
    else if (ts.isThrowStatement(node) && !isAlone(node)) instead(node, 'throws nothing', ';', true);
    else if (ts.isExpressionStatement(node)) statement(node);
    else if (ts.isCatchClause(node)) handler(node);
    else if (ts.isCaseClause(node)) instead(node.expression, 'case is never', '{}', refusesIn(node.statements));
    else if (ts.isCallExpression(node)) call(node);
    const name = named(node);
    if (name !== null) scope.push(name);
    if (ts.isFunctionLike(node)) functions += 1;
    ts.forEachChild(node, (inner) => {
      const before = deciding;
      if (isTest(node, inner)) deciding ||= decides(node);
      see(inner, isTest(node, inner) ? 'test' : 'value');
      deciding = before;
    });
    if (ts.isFunctionLike(node)) functions -= 1;
    if (name !== null) scope.pop();
    return undefined;
  }

  function binary(node, role) {
    const operator = source(node.operatorToken);
    if (CONNECTED.has(operator)) {
      instead2(node, node.left, node.right);
      instead2(node, node.right, node.left);
      see(node.left, 'operand');
      see(node.right, operator === '??' ? role : 'operand');
      return;
    }
    const place = node.operatorToken;
    if (BOUNDARIES[operator]) {
      add(node, `${operator} → ${BOUNDARIES[operator]}`, place.getStart(file), place.getEnd(), BOUNDARIES[operator]);
    }
    if (role === 'value' && EQUALITIES.has(operator)) {
      for (const value of ['true', 'false']) instead(node, `${told(node)} → ${value}`, value);
    }
    see(node.left, 'value');
    see(node.right, 'value');
  }

  /** An operand is dropped: the whole becomes the other. */
  function instead2(node, dropped, kept) {
    add(dropped, `without ${told(dropped)}`, node.getStart(file), node.getEnd(), `(${source(kept)})`);
  }

  function statement(node) {
    const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (ts.isCallExpression(inner) && CHECKS.test(called(inner)) && !isAlone(node)) instead(node, 'checks nothing', ';', true);
  }

  function handler(node) {
    const at = node.block.getStart(file) + 1;
    if (node.variableDeclaration) add(node, 'lets through', at, at, ` throw ${source(node.variableDeclaration.name)};`, true);
    else add(node, 'lets through', node.getStart(file), at, 'catch (thrown) { throw thrown;', true);
  }

  function call(node) {
    const name = called(node);
    if (ts.isPropertyAccessExpression(node.expression) && (name === 'every' || name === 'some')) {
      const other = name === 'every' ? 'some' : 'every';
      instead(node.expression.name, `${name} → ${other}`, other);
    }
    if (/^Math\.(min|max)$/.test(source(node.expression)) && node.arguments.length === 2) {
      const [first, second] = node.arguments;
      for (const [dropped, kept] of [
        [first, second],
        [second, first],
      ]) {
        if (!ts.isSpreadElement(first) && !ts.isSpreadElement(second)) {
          add(node, `${name} without ${told(dropped)}`, node.getStart(file), node.getEnd(), `(${source(kept)})`, true);
        }
      }
    }
  }

  const called = (node) => {
    if (ts.isPropertyAccessExpression(node.expression)) return node.expression.name.text.replace(/^#/, '');
    return ts.isIdentifier(node.expression) ? node.expression.text : '';
  };

  see(file, 'value');
  return found;
}

const unwrapped = (node) => (node.kind === K.ParenthesizedExpression ? unwrapped(node.expression) : node);

const isTest = (node, inner) =>
  ((ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) && inner === node.expression) ||
  ((ts.isForStatement(node) || ts.isConditionalExpression(node)) && inner === node.condition);

/** Whether a statement is all that an `if` without `else` does: a condition that is never so shows the same. */
function isAlone(node) {
  const [parent, whole] = ts.isBlock(node.parent) && node.parent.statements.length === 1 ? [node.parent.parent, node.parent] : [node.parent, node];
  return ts.isIfStatement(parent) && parent.thenStatement === whole && !parent.elseStatement;
}

/** What a function or class is called where it stands. */
function named(node) {
  if (ts.isClassLike(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node))
    return node.name?.getText() ?? '';
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isFunctionLike(node.initializer)) return node.name.getText();
  return null;
}

/** The name of what is called or made, without what it is a member of. */
function nameOf(node) {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return '';
  if (ts.isPropertyAccessExpression(node.expression)) return node.expression.name.text.replace(/^#/, '');
  return ts.isIdentifier(node.expression) ? node.expression.text : '';
}

/** Whether a node, or what stands in it without functions, meets a condition. */
const hasIn = (node, holds) =>
  holds(node) || !!ts.forEachChild(node, (inner) => (ts.isFunctionLike(inner) ? undefined : hasIn(inner, holds) || undefined));

const isRefusal = (node) => ts.isThrowStatement(node) || CHECKS.test(nameOf(node)) || RECORDS.test(nameOf(node));

function isNothing(node) {
  const bare = unwrapped(node);
  if (bare.kind === K.NullKeyword || bare.kind === K.FalseKeyword) return true;
  if (ts.isIdentifier(bare)) return bare.text === 'undefined';
  if (ts.isStringLiteral(bare) || ts.isNoSubstitutionTemplateLiteral(bare)) return bare.text === '';
  if (ts.isArrayLiteralExpression(bare)) return bare.elements.length === 0;
  return ts.isObjectLiteralExpression(bare) && bare.properties.length === 0;
}

const statementsOf = (node) => (ts.isBlock(node) ? [...node.statements] : [node]);

const isEmptyExit = (node) =>
  ts.isContinueStatement(node) || ts.isBreakStatement(node) || (ts.isReturnStatement(node) && (!node.expression || isNothing(node.expression)));

const isExit = (node) => ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node);

/** Whether anything in these statements refuses, or they end with an exit without a value. */
const refusesIn = (statements) => statements.length > 0 && (isEmptyExit(statements.at(-1)) || statements.some((each) => hasIn(each, isRefusal)));

/** Whether the block goes on to refuse, after other conditions at most. */
function endsInRefusal(node) {
  const block = node.parent;
  if (!block?.statements) return false;
  const following = block.statements.slice(block.statements.indexOf(node) + 1);
  const next = following.find((each) => !ts.isIfStatement(each));
  return next !== undefined && refusesIn([next]);
}

/** Whether a condition names a limit. */
const namesLimit = (node) => hasIn(node, (inner) => ts.isIdentifier(inner) && (LIMITS.test(inner.text) || inner.text === 'limits'));

/** Whether a condition decides about a refusal: in a branch, or, where a branch ends, in what follows; or about a limit. */
function decides(node) {
  if (ts.isConditionalExpression(node)) {
    const branches = [node.whenTrue, node.whenFalse];
    return branches.some((each) => isNothing(each) || isRefusal(unwrapped(each))) || namesLimit(node.condition);
  }
  if (!ts.isIfStatement(node)) return false;
  const body = statementsOf(node.thenStatement);
  if (refusesIn(body) || namesLimit(node.expression)) return true;
  const other = node.elseStatement;
  if (other) return ts.isIfStatement(other) ? decides(other) : refusesIn(statementsOf(other));
  let whole = node; // the first `if` of a chain
  while (ts.isIfStatement(whole.parent) && whole.parent.elseStatement === whole) whole = whole.parent;
  return body.length > 0 && isExit(body.at(-1)) && endsInRefusal(whole);
}

/** Whether a function answers yes or no. */
function isPredicate(node) {
  const type = ts.getJSDocReturnType(node) ?? node.type;
  return !!type && /^(Promise<)?(boolean\b|\w+ is )/.test(type.getText());
}

const isAssignment = (node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind >= K.FirstAssignment && node.operatorToken.kind <= K.LastAssignment;

/** The variables of a function that conditions on refusals name. */
function decidingNames(node) {
  const found = new Set();
  const walk = (inner) => {
    if (ts.isIfStatement(inner) && decides(inner)) hasIn(inner.expression, (each) => ts.isIdentifier(each) && !found.add(each.text));
    ts.forEachChild(inner, (each) => (ts.isFunctionLike(each) ? undefined : walk(each)));
  };
  if (node.body) walk(node.body);
  return found;
}

const paths = process.argv.slice(2).filter((each) => each !== '--everything');
process.stdout.write(JSON.stringify(Object.fromEntries(paths.map((path) => [path, guards(path)]))));
