import type { Api, CollectionSummary, SampleDocuments } from '../api';

/** The documents that come with the program: their collection is the one with their folder, whatever it is called. */
export class Sample {
  private known = $state.raw<SampleDocuments>();

  constructor(private readonly api: Pick<Api, 'sample' | 'writeSample'>) {}

  async load(): Promise<void> {
    this.known ??= await this.api.sample();
  }

  /** Writes what is missing of the documents, and gives their folder. */
  async write(): Promise<string> {
    this.known = await this.api.writeSample();
    return this.known.folder;
  }

  /** Whether a collection has them. */
  readonly in = (collection: CollectionSummary | undefined): boolean =>
    this.known !== undefined && !!collection?.roots.includes(this.known.folder);

  /** A few queries to try on a collection, if it has the documents: one in each of their languages. */
  queries(collection: CollectionSummary): string[] {
    return this.in(collection) ? this.known!.queries.slice(0, 3) : [];
  }
}
