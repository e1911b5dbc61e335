import { describe, expect, it } from 'vitest';
import { Glide } from './glide';

/** Rows that stand at some heights and write down what is done to them. */
function rows(...tops: number[]) {
  const said: string[] = [];
  const made = tops.map((top, i) => ({
    top,
    isConnected: true,
    getBoundingClientRect() {
      said.push(`measure ${i}`);
      return { top: this.top };
    },
    animate(frames: { translate: string[] }) {
      said.push(`${i} from ${frames.translate[0]}`);
      return { cancel: () => said.push(`${i} cancelled`) };
    },
  }));
  return { made, said, list: made as unknown as Element[] };
}

describe('gliding', () => {
  it('measures every row before it moves the first, and leaves alone what stays or is gone', () => {
    const { made, said, list } = rows(0, 100, 200, 300);
    const glide = new Glide();
    glide.from(list);
    [made[0]!.top, made[1]!.top] = [100, 0];
    made[3]!.isConnected = false;
    said.length = 0;
    glide.go();
    expect(said).toEqual(['measure 0', 'measure 1', 'measure 2', '0 from 0 -100px', '1 from 0 100px']);
  });

  it('ends one move before it measures for the next, and moves nothing twice', () => {
    const { made, said, list } = rows(0);
    const glide = new Glide();
    glide.from(list);
    made[0]!.top = 50;
    glide.go();
    glide.from(list);
    made[0]!.top = 80;
    said.length = 0;
    glide.go();
    glide.go();
    expect(said).toEqual(['0 cancelled', 'measure 0', '0 from 0 -30px', '0 cancelled']);
  });
});
