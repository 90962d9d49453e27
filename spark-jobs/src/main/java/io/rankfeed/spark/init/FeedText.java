package io.rankfeed.spark.init;

import io.rankfeed.job.SourceSection.Kind;
import java.util.List;
import java.util.Locale;

/** The feed file of a draft: numbers, bytes of texts, and images as pixels. */
final class FeedText {
    private static final int PIXELS = 224;

    private FeedText() {}

    static String of(Draft draft, String job) {
        StringBuilder text = new StringBuilder(SchemaLine.of("feed"));
        text.append("# How a node feeds what ").append(job).append(" exports. Flags win over this file.\n");
        text.append(
                "# Keys: rankfeed docs feed-file. Texts: rankfeed docs text. Image steps: rankfeed docs transforms.\n\nfeeds:\n");
        boolean hasValid = draft.parts().size() > 1;
        for (String feed : hasValid ? List.of("train", "valid") : List.of("train")) {
            text.append("  ").append(feed).append(":\n    columns:\n      - {name: row_id}\n");
            if (draft.location().kind() == Kind.BINARY) {
                text.append(images("image", feed)).append(draft.hasLabelFolders() ? named("label_id") : "");
            }
            for (DraftColumn column : draft.columns()) {
                text.append(draft.location().kind() == Kind.BINARY ? "" : of(column, feed));
            }
        }
        return text.toString();
    }

    private static String of(DraftColumn column, String feed) {
        boolean isNumber = column.holdsNumbers();
        return switch (column.use()) {
            case IMAGE -> images(column.name(), feed);
            case TEXT -> named(column.name() + "_ids");
            case LABEL -> named(column.name() + "_id");
            case PLAIN -> isNumber ? named(column.name()) : "";
            case LEFT_OUT -> "";
        };
    }

    private static String named(String column) {
        return "      - {name: " + column + "}\n";
    }

    private static String images(String column, String feed) {
        String steps = feed.equals("train")
                ? "          - random-resized-crop: {height: %1$d, width: %1$d, scale: [0.5, 1]}\n          - flip\n"
                : "          - resize: {height: %1$d, width: %1$d}\n";
        return String.format(
                Locale.ROOT,
                "      - name: %2$s_pixels\n        from: %2$s\n        steps:\n          - decode\n" + steps
                        + "        broken: zeros    # an image that cannot be decoded has valid = 0\n"
                        + "        normalize: {mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]}\n",
                PIXELS,
                column);
    }
}
