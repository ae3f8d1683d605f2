// Principal components: the few directions in which the vectors differ most.

/** Reduces vectors of `width` numbers to `dimensions` numbers, after subtracting their mean. */
export function reduceDimensions(vectors: Float32Array, width: number, dimensions: number): Float32Array {
  const rows = vectors.length / width;
  const mean = new Float64Array(width);
  for (let at = 0; at < vectors.length; at++)
    mean[at % width] = (mean[at % width] ?? 0) + (vectors[at] ?? 0) / rows;
  const centred = vectors.map((value, at) => value - (mean[at % width] ?? 0));
  const axes = findAxes(covarianceOf(centred, width), width).slice(0, dimensions);
  const reduced = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++)
    axes.forEach((axis, d) => {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (centred[row * width + k] as number) * (axis[k] as number);
      reduced[row * dimensions + d] = sum;
    });
  return reduced;
}

function covarianceOf(centred: Float32Array, width: number): Float64Array {
  const covariance = new Float64Array(width * width);
  for (let at = 0; at < centred.length; at += width)
    for (let i = 0; i < width; i++) {
      const factor = centred[at + i] as number;
      for (let j = i; j < width; j++) covariance[i * width + j]! += factor * (centred[at + j] as number);
    }
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) covariance[i * width + j] = covariance[j * width + i]!;
  return covariance;
}

/** Eigenvectors by Jacobi rotations, largest eigenvalue first. */
function findAxes(matrix: Float64Array, width: number): Float64Array[] {
  const axes = Array.from({ length: width }, (_, n) => {
    const axis = new Float64Array(width);
    axis[n] = 1;
    return axis;
  });
  for (let sweep = 0; sweep < 12; sweep++)
    for (let p = 0; p < width; p++) for (let q = p + 1; q < width; q++) rotate(matrix, axes, width, p, q);
  return axes
    .map((axis, n) => ({ axis, size: matrix[n * width + n] as number }))
    .toSorted((a, b) => b.size - a.size)
    .map(({ axis }) => axis);
}

function rotate(a: Float64Array, axes: Float64Array[], width: number, p: number, q: number): void {
  const offDiagonal = a[p * width + q] as number;
  if (offDiagonal === 0) return;
  const theta = ((a[q * width + q] as number) - (a[p * width + p] as number)) / (2 * offDiagonal);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < width; k++) {
    const [x, y] = [a[k * width + p] as number, a[k * width + q] as number];
    a[k * width + p] = c * x - s * y;
    a[k * width + q] = s * x + c * y;
  }
  for (let k = 0; k < width; k++) {
    const [x, y] = [a[p * width + k] as number, a[q * width + k] as number];
    a[p * width + k] = c * x - s * y;
    a[q * width + k] = s * x + c * y;
  }
  const [u, v] = [axes[p] as Float64Array, axes[q] as Float64Array];
  for (let k = 0; k < width; k++) {
    const [x, y] = [u[k] as number, v[k] as number];
    u[k] = c * x - s * y;
    v[k] = s * x + c * y;
  }
}
