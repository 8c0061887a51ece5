// What one upstream has shown about its models, by their names. Clients choose those, so their number and their length
// are bounded: the model that was not used for the longest time is forgotten, and one with a very long name never learnt.

const MOST = 1000;
const LONGEST_NAME = 1024;

export class ModelMemory<Known> {
  readonly #models = new Map<string, Known>();

  get(model: string): Known | undefined {
    const known = this.#models.get(model);
    if (known !== undefined) this.#put(model, known);
    return known;
  }

  set(model: string, known: Known): void {
    if (model.length > LONGEST_NAME) return;
    this.#put(model, known);
    const [oldest] = this.#models.keys();
    if (this.#models.size > MOST && oldest !== undefined) this.#models.delete(oldest);
  }

  values(): Iterable<Known> {
    return this.#models.values();
  }

  /** Puts the model at the end: the map is ordered by last use. */
  #put(model: string, known: Known): void {
    this.#models.delete(model);
    this.#models.set(model, known);
  }
}
