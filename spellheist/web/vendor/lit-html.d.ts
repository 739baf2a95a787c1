// The part of the renderer's types that this page uses.
export interface TemplateResult { readonly strings: TemplateStringsArray; readonly values: unknown[] }
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function render(value: unknown, container: HTMLElement): unknown;
export const nothing: unique symbol;
