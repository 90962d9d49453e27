package io.rankfeed.export.format.known;

import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.record.ImageMmap;
import io.rankfeed.export.format.record.Mds;
import io.rankfeed.export.format.record.TfRecord;
import io.rankfeed.export.format.record.WebDataset;
import io.rankfeed.export.format.store.Enn;
import io.rankfeed.export.format.store.HuggingFace;
import io.rankfeed.export.format.store.Lmdb;
import io.rankfeed.export.format.store.Megatron;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.List;

/** The formats by name. */
public final class Formats {
    private static final List<Format> ALL = List.of(
            new Enn(),
            new HuggingFace(),
            new ImageMmap(),
            new Lmdb(),
            new Mds(),
            new Megatron(),
            new TfRecord(),
            new WebDataset());

    private Formats() {}

    public static List<String> names() {
        return ALL.stream().map(Format::name).toList();
    }

    /** @throws ConfigException if no format has this name; the message names the nearest */
    public static Format named(String name) {
        return ALL.stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new ConfigException("unknown format '" + name + "'" + Suggestion.hint(name, names())));
    }
}
