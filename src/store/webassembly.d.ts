// The part of WebAssembly used here: TypeScript only declares it in the DOM library.
declare namespace WebAssembly {
  const Module: new (bytes: Uint8Array) => object;
  const Instance: new (module: object) => { readonly exports: Record<string, unknown> };
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
