package io.rankfeed.feeder.timing;

import java.util.Locale;

/** The part of a node that a stage stands for, and what to do where it limits a feed. */
public enum Part {
    DISK("use a local SSD for --cache, or give the machine memory for the page cache of the version"),
    /** The steps over images, which have names of their own. */
    DECODE("give the feeder more --workers, store smaller images (rf_image in the job), or use fewer steps"),
    VERIFY(
            "each record batch is checked before its first use: measure a longer run, or check at the start with --verify start"),
    TEXT("give the feeder more --workers"),
    ASSEMBLY("give the feeder more --workers, or name fewer columns in the feed file"),
    TRANSFORM("give the transform processes, or more of them: Feed(workers=…), or move what is static into the job"),
    TRANSFER("send bytes and normalize on the device (normalize: in the feed file), or name fewer columns"),
    TRAINER("the feed is faster than the trainer: no setting of the feed helps"),
    IDLE("no stage ran in this time");

    private final String advice;

    Part(String advice) {
        this.advice = advice;
    }

    /** The part of a stage of the stage table. */
    static Part of(String name) {
        for (Stage stage : Stage.values()) {
            if (stage.id().equals(name)) {
                return switch (stage) {
                    case READ -> DISK;
                    case VERIFY -> VERIFY;
                    case TEXT -> TEXT;
                    case ASSEMBLE, FILL -> ASSEMBLY;
                    case TRANSFORM -> TRANSFORM;
                    case COPY -> TRANSFER;
                    case TRAINER -> TRAINER;
                    case WAIT_BATCH, WAIT_SLOT -> IDLE;
                };
            }
        }
        return name.equals(Bottleneck.IDLE) ? IDLE : DECODE;
    }

    public String advice() {
        return advice;
    }

    /** The name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
