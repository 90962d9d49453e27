package io.rankfeed.console;

import picocli.CommandLine.Option;

/** The option {@code --progress} of every command that takes long. */
public final class ProgressOption {
    @Option(
            names = "--progress",
            paramLabel = "auto|plain|none",
            description =
                    "Show progress as a bar on a terminal and as lines elsewhere (auto), as lines (plain), or not at all"
                            + " (none). Default: auto.",
            converter = StyleConverter.class)
    private ProgressStyle style = ProgressStyle.AUTO;

    public ProgressStyle style() {
        return style;
    }

    /** Converts the word of a style. */
    static final class StyleConverter extends LowerCaseWord<ProgressStyle> {
        StyleConverter() {
            super(ProgressStyle.values());
        }
    }
}
