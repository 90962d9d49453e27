package io.rankfeed.feeder.quickstart;

import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One dataset of a quickstart: where its rows come from, the job over them and the trainer of the result.
 *
 * @param dataset as its job file {@code conf/jobs/DATASET.yaml} names it
 * @param input the folder of what the job reads, or of more
 * @param generate arguments of the launcher that make the input; empty where it exists already
 * @param settings {@code key=value} pairs for the job
 * @param feed words of the feeder in addition to its version
 * @param trainer the file in the client's examples that trains on it, then its arguments
 * @param remark what to think of the training, for users
 */
record QuickstartPart(
        String dataset,
        Path input,
        List<String> generate,
        List<String> settings,
        List<String> feed,
        List<String> trainer,
        String remark) {
    static final String CODECONTESTS = "codecontests";
    static final String PRODUCTS = "products";

    private static final String TABLE = "products.parquet";
    private static final String THUMBNAILS = "thumbnails";
    private static final int BATCH = 64;

    QuickstartPart {
        generate = List.copyOf(generate);
        settings = List.copyOf(settings);
        feed = List.copyOf(feed);
        trainer = List.copyOf(trainer);
    }

    /** Returns a generated dataset of {@code rows} rows; a tenth of them are trained on, in whole steps. */
    static QuickstartPart codecontests(Path folder, long rows) {
        Path input = folder.resolve("input").resolve("rows-" + rows);
        return new QuickstartPart(
                CODECONTESTS,
                input,
                List.of("generate", CODECONTESTS, "--rows", Long.toString(rows), "--out", input.toString()),
                List.of("sources.solutions.parquet=" + quoted(input), "sample.train.rows=" + rows / 10 / BATCH * BATCH),
                List.of(),
                List.of("train_tokens.py", "--tokens", "output_ids"),
                "These labels are made up: this part shows how rows are fed, not what a model can learn from them.");
    }

    /**
     * Returns the dataset of an existing catalog, which is only read.
     *
     * @param installation has the feed file
     */
    static QuickstartPart products(Path catalog, Installation installation) {
        for (String file : List.of(TABLE, THUMBNAILS)) {
            if (!Files.exists(catalog.resolve(file))) {
                throw new ConfigException("no product catalog in " + catalog + ": " + file
                        + " is missing; name the folder that holds " + TABLE + " and " + THUMBNAILS
                        + "/ with --catalog, or leave it with --data " + CODECONTESTS);
            }
        }
        return new QuickstartPart(
                PRODUCTS,
                catalog,
                List.of(),
                List.of(
                        "sources.products.parquet=" + quoted(catalog.resolve(TABLE)),
                        "sources.thumbnails.binary=" + quoted(catalog.resolve(THUMBNAILS))),
                List.of("--config", installation.feed(PRODUCTS).toString()),
                List.of("train_products.py", "--learning-rate", "0.01"),
                "Real products: from title and thumbnail the model predicts the category of most products that it has not seen.");
    }

    static boolean isCatalog(Path folder) {
        return Files.exists(folder.resolve(TABLE)) && Files.isDirectory(folder.resolve(THUMBNAILS));
    }

    /** Formats a path as the value of a setting, which is parsed as YAML. */
    static String quoted(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }

    /** A short name of the dataset, for run ids. */
    String label() {
        Path name = input.getFileName();
        return dataset + (name == null || generate.isEmpty() ? "" : "-" + name);
    }
}
