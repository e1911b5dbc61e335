/** The guide: what each part of the window is for, in the order in which somebody meets it. */
export const guide = {
  lead: 'Six pages, five minutes. Press ? anywhere for the keys.',
  contents: 'Contents',
  picture: (what: string) => `Picture: ${what}`,
  parts: {
    collections: {
      title: 'Add your documents',
      text: [
        'A collection is one or more folders that are searched together. Add a folder, or drop it on the window: PDF, Word, spreadsheets, slides, mail, archives, pictures and plain text are read. Your files stay where they are and are never changed. To look around first, try the sample collection: a window without documents offers it.',
        'Words can be searched as soon as a file is read, meaning a little later. Every file has a state with a reason; what could not be read can be tried again.',
        'Patterns leave files out. A collection can be watched, so that it follows what happens in its folders.',
      ],
      alt: 'the collections, with folders, policy and files',
    },
    results: {
      title: 'Search',
      text: [
        'Type a question or a few words, in any language; documents in other languages are found too. The order by words and meaning comes at once, then the reranker puts the best passages first. ▲3 says that it moved a passage up by three.',
        'Narrow it down: "exact phrase", -without, this OR that, file:report*, type:pdf, lang:fa, after:2024-03, in:heading budget. Anything else is words.',
        '“Why here?” shows every score and rank of a result. The line below says who ranked, and what each stage cost.',
      ],
      alt: 'results with their scores, how they moved, and the line of stages',
    },
    preview: {
      title: 'Read it in its place',
      text: [
        'Select a result and press the space bar: the page opens beside the list with the words marked where they stand. n and p go to the next and the previous match.',
        'Enter opens the document in its own program. A passage can be copied as a quotation with its source.',
      ],
      alt: 'a page of a document beside the results, with the words marked',
    },
    models: {
      title: 'Be ready for the blackout',
      text: [
        'With a key, Cohere reranks while the network is there. When it is gone, a reranker on this machine takes over by itself, and the result says so. The first one is always there; better ones are fetched on the page of models, or imported from a USB stick.',
        'The drill on the page “Measure” pulls the plug for you: it checks every model and the index, replays your searches offline and says what you would lose.',
      ],
      alt: 'the models with their states and the readiness for an outage',
    },
    measure: {
      title: 'Measure it on your own documents',
      text: [
        'Switch on judging and mark results as relevant, partly or not. With a few dozen judged searches the window shows whether reranking pays here, by how much, and which settings would be better; a change is made only when you agree, and can be undone.',
      ],
      alt: 'the stages compared by how well they rank judged searches',
    },
    ledger: {
      title: 'Know what left this machine',
      text: [
        'Each collection has a policy: never, ask, or allowed. Nothing of a collection that says never is sent, whatever happens to the network. The ledger has an entry for each request that could leave, the refused ones too, and shows it if anybody has changed an entry.',
        'Keep the disk encrypted: what Fanous stores is as safe as the folder that it is in.',
      ],
      alt: 'the entries of the ledger and the result of checking it',
    },
  },
};
