import { savePng } from './png.ts';

/**
 * Offers a drawn SVG as a file, as it is or as PNG at twice its size. Rejects where the browser
 * cannot draw or encode it.
 */
export async function savePicture(
  svg: string,
  format: 'svg' | 'png',
  fileName: string,
): Promise<void> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    if (format === 'svg') {
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
      return;
    }
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const pen = canvas.getContext('2d');
    if (pen === null)
      throw new Error('The browser gives no canvas of this size. Choose a smaller one.');
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    await savePng(canvas, fileName);
  } finally {
    URL.revokeObjectURL(url);
  }
}
