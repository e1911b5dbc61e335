// The screen of collections, in English.

export const collections = {
  lead: 'Folders that are searched together. Your files stay where they are and are only read.',
  listLabel: 'Collections',
  none: 'There is no collection yet',
  noneText: 'Give the first one a name and choose its folder, or drop a folder here.',
  add: 'New collection',
  name: 'Name',
  nameTaken: 'There is a collection of this name already.',
  chooseFolder: 'Choose its folder…',
  cancel: 'Cancel',
  dropHere: (name: string) => `Drop folders or files to add them to “${name}”`,
  dropNew: 'Drop folders or files to make a collection of them',
  counts: (n: number, docs: string, passages: string) =>
    `${docs} ${n === 1 ? 'document' : 'documents'}, ${passages} passages`,
  notRead: (shown: string) => `${shown} not readable`,
  updated: (when: string) => `Updated ${when}`,
  neverUpdated: 'Not gone through yet',
  watched: 'watched',

  update: 'Update',
  rebuild: 'Rebuild…',
  rebuildQuestion:
    'Read every file again and make the index of this collection anew? It takes as long as the first time; searching goes on meanwhile.',
  rebuildSure: 'Rebuild it',
  rename: 'Rename…',
  renameSave: 'Rename',
  remove: 'Remove…',
  removeQuestion: (documents: string, passages: string) =>
    `Fanous forgets this collection: the text of ${documents} documents in ${passages} passages, its settings, what was judged and measured in it, and the searches in it that are remembered.`,
  removeStays: 'Your files and folders stay as they are. The ledger keeps what it says of this collection.',
  removeSure: 'Remove it',
  keep: 'Keep it',
  removing: (name: string) => `“${name}” is being removed`,
  removingNote: 'Step by step; what a closed window leaves goes at the next start. Your files stay.',
  removed: (name: string) => `${name} is removed. Its files are where they were.`,

  tabsLabel: 'Parts of the collection',
  tabFiles: 'Files',
  tabSettings: 'Folders and settings',

  pause: 'Pause',
  pausing: 'Stopping after the file that is being read…',
  paused: (name: string) => `Paused: “${name}”. What was finished is kept and can be searched.`,
  goOn: 'Go on',
  leave: 'Leave it',

  folders: 'Folders',
  noFolders: 'It has no folder yet.',
  addFolder: 'Add folder…',
  removeFolder: (path: string) => `Take out ${path}`,
  takeOut: 'Take out',
  folderOut: (path: string) =>
    `${path} is taken out. What was read from it is dropped at the next update; the folder itself is not touched.`,

  patterns: 'Which files',
  patternsNote: 'One pattern a line, as in .gitignore: *.pdf, drafts/, !important.docx',
  include: 'Only these',
  includeNote: 'Empty: every file that can be read',
  ignore: 'Not these',
  counting: 'Counting…',
  matches: (n: number, files: string, size: string) =>
    `${files} ${n === 1 ? 'file belongs' : 'files belong'} to it (${size}).`,
  wouldMatch: (n: number, files: string, size: string) =>
    `${files} ${n === 1 ? 'file would belong' : 'files would belong'} to it (${size}).`,
  notSeen: (shown: string) => `${shown} could not be looked at.`,
  savePatterns: 'Save',
  undo: 'Undo',
  savedUpdate: 'Saved. The next update follows it.',

  privacy: 'May passages leave this machine?',
  policies: {
    never:
      'Reranking happens on this machine alone. A file that also lies in another collection stays here for that one, too.',
    ask: 'Nothing is sent unless you say so in a search: once, for that search, or for the whole collection.',
    allowed:
      'The query and the best passages go to Cohere when it reranks. Each time is written into the ledger.',
  },

  upkeep: 'Keeping it up to date',
  watch: 'Follow changes of its files',
  watchNote: 'While Fanous is open, changed files are read again by themselves.',
  watching: (n: number, shown: string) => `${shown} ${n === 1 ? 'folder is' : 'folders are'} watched.`,
  unwatched: (n: number, shown: string) =>
    `${shown} ${n === 1 ? 'folder is' : 'folders are'} looked at every few minutes instead.`,
  updating: 'Reading what has changed…',
  watchEnded: 'Watching has stopped',
  ocr: 'Recognise text in pictures and scanned pages (OCR)',
  ocrNote: 'With the Tesseract program of this machine. It is slow and comes last.',
  onBattery: 'On battery',
  battery: {
    low: 'wait while the battery is low',
    pause: 'wait until plugged in',
    go: 'go on',
  },

  files: 'Files',
  filterLabel: 'States',
  every: 'All',
  find: 'Part of a name or path',
  shown: (n: number, shown: string) => `${shown} ${n === 1 ? 'file' : 'files'}`,
  shownMore: (shown: string) => `the first ${shown} files`,
  noFiles: 'No file has been gone through yet.',
  noneMatch: 'No file is like that.',
  loading: 'Looking at the files…',
  filesFailed: 'The files could not be listed',
  retryAll: 'Try again all that failed',
  retryOne: 'Try again',
  open: 'Open',
  show: 'Show in folder',
  passages: (n: number, shown: string) => `${shown} ${n === 1 ? 'passage' : 'passages'}`,
  sameAs: 'The same content as',
  recognised: (sure: string) => `text recognised, ${sure} sure`,
  ocrStates: {
    wanted: 'its pictures wait to be read',
    done: 'its pictures were read',
    none: 'nothing legible in its pictures',
    failed: 'its pictures could not be read',
  },
  exportCsv: 'Export as CSV…',
  exportJson: 'Export as JSON…',
  exported: (path: string) => `Written: ${path}`,
};
