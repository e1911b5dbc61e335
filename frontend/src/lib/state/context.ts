import { createContext } from 'svelte';
import type { Window } from './window';

export const [useWindow, provideWindow] = createContext<Window>();
