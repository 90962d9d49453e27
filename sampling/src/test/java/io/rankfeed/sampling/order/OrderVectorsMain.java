package io.rankfeed.sampling.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the golden files again into a folder: only for a new format version. */
final class OrderVectorsMain {
    static final String VECTORS = "order-vectors.json";
    static final String CONFIGURATIONS = "order-1000.json";
    static final String THRESHOLDS = "order-thresholds.json";

    private OrderVectorsMain() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Files.writeString(folder.resolve(VECTORS), vectors());
        Files.writeString(folder.resolve(CONFIGURATIONS), configurations());
        Files.writeString(folder.resolve(THRESHOLDS), thresholds());
    }

    /** The files are small texts that diff well: one order or configuration a line. */
    static String vectors() {
        JsonNode json = OrderVectors.vectors();
        return "{\"primitives\":" + json.get("primitives") + ",\n" + lines("orders", json.get("orders")) + ",\n"
                + lines("sequential", json.get("sequential")) + "}\n";
    }

    static String configurations() {
        return "{"
                + lines("orders", new ObjectMapper().createArrayNode().addAll(OrderVectors.configurations()))
                + "}\n";
    }

    static String thresholds() {
        return "{" + lines("orders", new ObjectMapper().createArrayNode().addAll(OrderVectors.thresholds())) + "}\n";
    }

    private static String lines(String name, JsonNode array) {
        StringBuilder text = new StringBuilder();
        array.forEach(one -> text.append(text.isEmpty() ? "" : ",\n").append(one));
        return "\"" + name + "\":[\n" + text + "\n]";
    }
}
