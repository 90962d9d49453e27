package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.preview.SheetRow.Picture;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.image.ImageForm;
import io.rankfeed.schema.image.RgbPixels;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;

/** A sheet as one HTML page that needs no other file and runs nothing. Pictures are PNG, pixel for pixel. */
public final class HtmlSheet {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <title>%s</title><style>
            body { font: 14px sans-serif; margin: 2em; color: #222 } h1 { font-size: 18px; overflow-wrap: anywhere }
            table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ccc }
            section { display: grid; grid-template-columns: 22em minmax(0, 1fr); gap: 1em; border-top: 1px solid #ccc; padding: 1em 0 }
            dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 0 .6em; overflow-wrap: anywhere; align-content: start }
            dt, figcaption, .sequence p:first-child, h3 { color: #555 } dd { margin: 0 } h3 { font-size: 13px; margin: .4em 0 }
            .pictures { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start; margin-top: 1em }
            figure { margin: 0; max-width: 100%; font-size: 12px } img { image-rendering: pixelated; max-width: 100%; display: block }
            figcaption span { display: block; max-width: 32em } figcaption b { color: #222 }
            .sequence { border-left: 5px solid; padding-left: .6em; margin: .4em 0 } .sequence p { margin: .2em 0; font-size: 12px }
            .m0 { border-color: #3a6ea5 } .m1 { border-color: #c26a1b } .m2 { border-color: #3b8a4a } .m3 { border-color: #8a4a9e }
            .pad { border-color: #bbb } .sequence p.tokens { font: 14px/1.7 monospace; white-space: pre-wrap; overflow-wrap: anywhere }
            .tokens span, .legend span { border-radius: 3px; padding: 0 2px; margin-right: 2px } .legend span { padding: .2em .5em }
            .t { background: #c9efd2; border-bottom: 2px solid #2d8a46 } .r { background: #cfe0ff; border-bottom: 2px solid #2457b3 }
            .n { background: #eee; color: #444 } .i { background: #ffe2b5 } .u { background: #f2f0ff }
            .p { color: #767676; border: 1px dashed #aaa } sub { color: #2457b3 } .legend { line-height: 2.2 } .cut { color: #a00 }
            .tokens span { position: relative } .tokens span:hover::after { content: "id " attr(data-i); position: absolute; z-index: 1;
              left: 0; top: 100%; padding: 2px 6px; background: #222; color: #fff; font-size: 12px; white-space: nowrap }
            .tokens span[data-l]:hover::after { content: "id " attr(data-i) ", label " attr(data-l) }
            @media (max-width: 60em) { section { grid-template-columns: minmax(0, 1fr) } }
            </style></head><body><h1>%s</h1>
            """;

    private final Html out;
    private final TextHtml texts;
    private final long maxBytes;
    private boolean isFull;

    /**
     * @param maxBytes approximate limit of the size; the page names what it leaves out
     * @param counts of the columns of tokens, by name
     */
    public HtmlSheet(String title, long maxBytes, TokenTexts texts, Map<String, TextView.Counts> counts) {
        out = new Html(maxBytes);
        this.maxBytes = maxBytes;
        this.texts = new TextHtml(texts);
        out.tag(HEAD.replace("%s", Html.escaped(title)));
        if (!counts.isEmpty()) {
            TextHtml.counts(out, counts);
            TextHtml.legend(out);
        }
    }

    /** Adds a row. @return whether there was room, at least for its begin */
    public boolean add(SheetRow row) {
        isFull |= !out.hasRoom(TextHtml.MAX_TOKEN_BYTES);
        if (isFull) {
            return false;
        }
        out.tag("<section><dl>");
        row.caption().forEach((name, value) -> out.element("dt", name).element("dd", value));
        out.tag("</dl><div>");
        row.texts().forEach(text -> texts.row(out, text));
        out.tag("<div class=\"pictures\">");
        int shown = 0;
        for (Supplier<Picture> picture : row.pictures()) {
            if (!figure(picture.get())) {
                break;
            }
            shown++;
        }
        out.tag("</div>");
        if (shown < row.pictures().size()) {
            isFull = true;
            cut(shown + " of " + row.pictures().size() + " pictures of this row are shown");
        }
        out.tag("</div></section>\n");
        return true;
    }

    /** @param left number of rows for which there was no room */
    public byte[] end(int left) {
        if (left > 0) {
            cut(left + " more rows are not shown");
        }
        return out.tag("</body></html>\n").toBytes();
    }

    private void cut(String what) {
        out.element("p class=\"cut\"", what + ": the page ends after " + new ByteSize(maxBytes) + " (--max-bytes)");
    }

    /** @return whether there was room; a PNG has at most a few more bytes than its pixels, base64 a third more */
    private boolean figure(Picture picture) {
        long maxBytes =
                picture.pixels().map(pixels -> pixels.bytes().length * 4L / 3).orElse(0L);
        if (!out.hasRoom(maxBytes)) {
            return false;
        }
        out.tag("<figure>");
        picture.pixels().ifPresent(pixels -> image(picture.name(), pixels));
        out.tag("<figcaption>").element("b", picture.name());
        picture.pixels().ifPresent(pixels -> out.text(" " + pixels.height() + " × " + pixels.width()));
        picture.notes().forEach(note -> out.element("span", note));
        out.tag("</figcaption></figure>");
        return true;
    }

    private void image(String name, RgbPixels pixels) {
        out.tag("<img alt=\"").text(name).tag("\" width=\"" + pixels.width() + "\" height=\"" + pixels.height());
        out.tag("\" src=\"data:image/png;base64,")
                .tag(Base64.getEncoder().encodeToString(ImageForm.PNG.encoded(pixels)))
                .tag("\">");
    }
}
