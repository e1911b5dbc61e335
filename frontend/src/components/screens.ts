import type { Component } from 'svelte';
import type { Screen } from '../lib/state/navigation.svelte';
import ModelsScreen from './models/ModelsScreen.svelte';

/** The components of all screens but searching, which stays alive behind the others. Each is a `Screen.svelte`. */
export const screenOf: Record<Exclude<Screen, 'search'>, Component> = {
  models: ModelsScreen,
};
