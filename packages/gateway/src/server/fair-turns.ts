// Shares the event loop between requests and everything else, such as health checks. Thousands of streams that all have
// data would be worked on in one turn of the loop, for seconds; so a turn takes on only as much as its time allows, and
// what is left waits for the next turns, in order. Nothing waits while there is time.

/** Milliseconds of work in one turn of the loop. */
const TIME = 3;

/** What is begun in one later turn, at most. */
const STEPS = 8;

/**
 * Node accepts one connection in a turn, so a turn with a new one does no other work: more of them may wait, and a health
 * check among them. After so many milliseconds of such turns comes one with work.
 */
const MOST_ACCEPTING = 100;

/** When the work of this turn ends; 0: none has begun. */
let until = 0;
/** When the connections began to come turn by turn; 0: there was none in this turn. */
let accepting = 0;
let accepted = false;
const waiting: (() => void)[] = [];

/** Calls back at once if this turn of the loop has time left, else in a later turn. */
export function inTurn(begin: () => void): void {
  if (waiting.length === 0 && hasTime()) begin();
  else if (waiting.push(begin) === 1) setImmediate(nextTurn);
}

/** Ends in a later turn of the loop that has time left, so that steps of many requests do not meet in one. */
export function laterTurn(): Promise<void> {
  return new Promise((goOn) => setImmediate(() => inTurn(goOn)));
}

/**
 * Reads no more of a body in this turn if that has taken its time. Node reads a connection up to 32 times in one turn,
 * 2 MB.
 */
export function pauseWhenOver(body: { pause(): unknown; resume(): unknown }): void {
  if (hasTime()) return;
  body.pause();
  setImmediate(() => body.resume());
}

/** A connection was accepted in this turn. */
export function noteConnection(): void {
  if (until === 0) beginTurn();
  accepted = true;
  if (accepting === 0) accepting = performance.now();
  else if (performance.now() - accepting > MOST_ACCEPTING) {
    accepting = 0;
    accepted = false;
  }
}

function hasTime(): boolean {
  if (until === 0) beginTurn();
  return !accepted && performance.now() < until;
}

function beginTurn(): void {
  until = performance.now() + TIME;
  setImmediate(endTurn);
}

function endTurn(): void {
  until = 0;
  if (!accepted) accepting = 0;
  accepted = false;
}

/** Each step is a callback of its own: what follows from one is done before the next. */
function nextTurn(): void {
  for (let step = 0; step < STEPS; step++) setImmediate(takeStep);
  setImmediate(() => {
    if (waiting.length > 0) nextTurn();
  });
}

function takeStep(): void {
  if (waiting.length > 0 && hasTime()) waiting.shift()?.();
}
