package io.rankfeed.feeder.preview;

import io.rankfeed.schema.image.ImageForm;
import io.rankfeed.schema.image.RgbPixels;
import java.util.Base64;
import java.util.List;

/** A contact sheet as one HTML page that needs no other file. Images are PNG, pixel for pixel. */
public final class HtmlSheet {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%s</title><style>
            body { font: 14px sans-serif; margin: 2em; color: #222 }
            section { display: flex; gap: 1em; align-items: flex-start; border-top: 1px solid #ccc; padding: 1em 0 }
            figure { margin: 0 } figcaption { color: #666 } img { image-rendering: pixelated; max-width: 448px }
            dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 0 .6em; width: 24em; overflow-wrap: anywhere }
            dt { color: #666 } dd { margin: 0 }
            </style></head><body><h1>%s</h1>
            """;

    private HtmlSheet() {}

    public static String of(String title, List<SheetRow> rows) {
        StringBuilder out = new StringBuilder();
        out.append(HEAD.replace("%s", escaped(title)));
        for (SheetRow row : rows) {
            out.append("<section><dl>");
            row.caption().forEach((name, value) -> out.append("<dt>")
                    .append(escaped(name))
                    .append("</dt><dd>")
                    .append(escaped(value))
                    .append("</dd>"));
            out.append("</dl>");
            row.before()
                    .ifPresentOrElse(
                            pixels -> figure(out, "before", pixels),
                            () -> out.append("<figure><figcaption>no image</figcaption></figure>"));
            row.after().forEach(made -> figure(out, made.tensor(), made.pixels()));
            out.append("</section>\n");
        }
        return out.append("</body></html>\n").toString();
    }

    private static void figure(StringBuilder out, String caption, RgbPixels pixels) {
        out.append("<figure><img alt=\"")
                .append(escaped(caption))
                .append("\" src=\"data:image/png;base64,")
                .append(Base64.getEncoder().encodeToString(ImageForm.PNG.encoded(pixels)))
                .append("\"><figcaption>")
                .append(escaped(caption))
                .append(" ")
                .append(pixels.height())
                .append(" × ")
                .append(pixels.width())
                .append("</figcaption></figure>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
