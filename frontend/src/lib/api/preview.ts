import * as Previews from '../../../wailsjs/go/app/PreviewService';
import type { domain } from '../../../wailsjs/go/models';
import { call, list } from './call';

export type Box = domain.Box;
export type PreviewMatches = domain.PreviewMatches;
export type PreviewNotice = domain.PreviewNotice;
export type PreviewRequest = domain.PreviewRequest;
export type PreviewText = domain.PreviewText;

/** A page with its picture as a file, of PNG or JPEG. */
export type PreviewPage = Omit<domain.PreviewPage, 'image'> & { picture: Blob };

export type Preview = Omit<domain.Preview, 'page' | 'notice'> & {
  page?: PreviewPage;
  notice?: PreviewNotice;
};

export const previews = {
  preview: (id: number, request: PreviewRequest) => call(Previews.Show(id, request)).then(previewOf),
  matches: (chunk: number, query: string) =>
    call(Previews.Matches(chunk, query)).then((m): PreviewMatches => ({
      matches: list(m.matches),
      more: m.more,
    })),
  cancelPreview: () => call(Previews.Cancel()),
};

function previewOf({ page, notice, ...rest }: domain.Preview): Preview {
  return {
    ...rest,
    text: { ...rest.text, passage: list(rest.text.passage), marks: list(rest.text.marks) },
    ...(page && { page: pageOf(page) }),
    ...(notice && { notice }),
  };
}

function pageOf({ image, ...rest }: domain.PreviewPage): PreviewPage {
  // Go's bytes are base64 in JSON, whatever the generated type says.
  const bytes = Uint8Array.from(atob(image as unknown as string), (c) => c.charCodeAt(0));
  return {
    ...rest,
    passage: list(rest.passage),
    marks: list(rest.marks),
    picture: new Blob([bytes]),
  };
}
