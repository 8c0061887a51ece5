// Keeps a new round in view while it grows: the field for the next question stays at the bottom of the window and would
// cover the answer.

/** What a person does to look elsewhere. From then on the page stays where it is. */
const OWN_WAYS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Scrolls as the round grows, until its end is seen or its start is at the top. Gives what ends it. */
export function followRound(round: HTMLElement): () => void {
  const observer = new ResizeObserver(() => showEnd(round));
  const stop = () => {
    observer.disconnect();
    for (const name of OWN_WAYS) removeEventListener(name, stop, true);
  };
  observer.observe(round);
  // Captured: the key that sent the question is on its way already and does not count.
  for (const name of OWN_WAYS) addEventListener(name, stop, { capture: true, passive: true });
  return stop;
}

function showEnd(round: HTMLElement): void {
  const { top } = round.getBoundingClientRect();
  const section = round.parentElement;
  const end = section?.querySelector('.try-progress')?.getBoundingClientRect().bottom ?? 0;
  const composer = section?.querySelector('.composer')?.getBoundingClientRect().top ?? innerHeight;
  const covered = end - Math.min(composer, innerHeight);
  if (top < 0) scrollBy(0, top);
  else if (covered > 0) scrollBy(0, Math.min(top, covered));
}
