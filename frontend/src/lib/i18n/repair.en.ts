// A damaged index and its repair, in English.

export const repair = {
  damaged: 'The index is damaged.',
  damagedHint:
    'Fanous can make again what is broken and then read your files again, which are untouched. Nothing can be searched while it is at it.',
  begin: 'Repair the index',
  going: 'The index is checked and repaired',
  goingNote: 'A large one takes some minutes. Nothing can be searched meanwhile.',
  paused: 'Searching is paused',
  pausedText: 'It goes on by itself as soon as the index is whole again. Your files are untouched.',
  done: {
    none: 'The index is whole: there was nothing to repair.',
    terms: 'The index is repaired: its words were made again from the stored text.',
    vectors: 'The index is repaired: its words were made again, and passages are embedded anew.',
    anew: 'A new index has taken the place of the damaged one, with your collections. The history of searches is lost.',
  },
  lost: 'Not all of the collections could be read: look at their folders and settings.',
  toRead: 'Still to be read again:',
  goOn: 'Read them',
};
