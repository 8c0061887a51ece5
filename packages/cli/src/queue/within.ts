/** Whether it is done in time, well or not. Whoever tidies up does not wait for a server that is gone. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const done = () => true;
  return Promise.race([work.then(done, done), late]).finally(() => clearTimeout(timer));
}
