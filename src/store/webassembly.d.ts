// What of WebAssembly is used here: TypeScript knows it only together with everything else of a browser.
declare namespace WebAssembly {
  const Module: new (bytes: Uint8Array) => object;
  const Instance: new (module: object) => { readonly exports: Record<string, unknown> };
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
