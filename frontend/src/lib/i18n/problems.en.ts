// What is wrong and what to do about it, by the codes of errors (backend/domain), in English.

export const problems = {
  internal: [
    'Something went wrong inside Fanous.',
    'Try again. If it happens again, report what stands below.',
  ],
  usage: ['It cannot be done like that.'],
  not_found: ['It is not there.', 'It may have been removed or moved meanwhile.'],
  locked: ['Another program, or another run, is working on it.', 'Wait until it has finished and try again.'],
  damaged: ['Something on the disk is damaged.', 'Look at the disk, then make it anew.'],
  canceled: ['It was stopped.'],
  unavailable: ['Nobody outside could give it.', 'Look at the network and try again.'],
  ocr_missing: [
    'Tesseract, which reads the text in pictures, is not installed or does not run.',
    'Install it.',
  ],
  ocr_languages: ['Tesseract has no languages to read.', 'Install those of your documents.'],
  disk_full: ['The disk is full.', 'Free some space and try again.'],
};
