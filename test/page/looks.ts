// The sizes and colours the page is looked at in.

export interface Look {
  name: string;
  /** The colours it begins with, and those that are looked at as well. */
  schemes: readonly [Scheme, ...Scheme[]];
  width: number;
  height: number;
}

export type Scheme = 'light' | 'dark';

export const desk: Look = { name: 'desk', schemes: ['light', 'dark'], width: 1280, height: 900 };
export const phone: Look = { name: 'phone', schemes: ['light', 'dark'], width: 390, height: 844 };
