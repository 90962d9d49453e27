package io.rankfeed.schema.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.order.OrderId;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the commits and orders of {@code default-order-cases.json}. */
final class DefaultOrderCase {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/dataset/orders/ed3322a593a243bf/order.json");
    private static final Pattern PLAN = Pattern.compile("\n  \"plan\": \"([0-9a-f]{16})\"");

    private DefaultOrderCase() {}

    static JsonNode read() throws IOException {
        String name = "default-order-cases.json";
        try (InputStream file = Objects.requireNonNull(DefaultOrderCase.class.getResourceAsStream(name))) {
            return StrictJson.parse(file.readAllBytes(), name);
        }
    }

    /** The golden order with parts replaced, and with the id of these bytes, by name. */
    static Map<String, byte[]> orders(JsonNode document) throws IOException {
        String golden = Files.readString(GOLDEN);
        golden = golden.replace(idOf(golden.getBytes(StandardCharsets.UTF_8)), OrderId.NONE);
        Map<String, byte[]> orders = new TreeMap<>();
        for (Map.Entry<String, JsonNode> order : document.path("orders").properties()) {
            String text = golden;
            for (JsonNode part : order.getValue()) {
                text = text.replace(part.path(0).asText(), part.path(1).asText());
            }
            String id = OrderId.of(text.getBytes(StandardCharsets.UTF_8));
            orders.put(order.getKey(), text.replace(OrderId.NONE, id).getBytes(StandardCharsets.UTF_8));
        }
        return orders;
    }

    static String idOf(byte[] order) {
        Matcher plan = PLAN.matcher(new String(order, StandardCharsets.UTF_8));
        plan.find();
        return plan.group(1);
    }

    static void write(Path dataset, String version, JsonNode one, Map<String, byte[]> orders) throws IOException {
        int number = 1;
        for (JsonNode commit : one.path("commits")) {
            Path file = dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(number++));
            Files.createDirectories(file.getParent());
            Files.writeString(file, filled(commit.asText(), version, orders));
        }
        for (Map.Entry<String, JsonNode> folder : one.path("folders").properties()) {
            Path at = dataset.resolve("orders").resolve(filled(folder.getKey(), version, orders));
            String kind = folder.getValue().asText();
            if (at.toString().endsWith(".json")) {
                Files.write(at, OrderName.FILES.toBytes(filled(kind, version, orders)));
            } else {
                Files.createDirectories(at);
                order(dataset, at.resolve("order.json"), kind, orders);
            }
        }
    }

    private static void order(Path dataset, Path file, String kind, Map<String, byte[]> orders) throws IOException {
        byte[] bytes = orders.getOrDefault(kind.replaceFirst(".* ", ""), new byte[0]);
        if (kind.equals("long")) {
            try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                sparse.setLength((64L << 20) + 1);
            }
        } else if (kind.startsWith("link")) {
            Files.createSymbolicLink(file, Files.write(dataset.resolve("linked.json"), bytes));
        } else {
            String text = new String(bytes, StandardCharsets.UTF_8);
            Files.writeString(file, kind.startsWith("changed") ? text.replace("\"seed\": 2", "\"seed\": 9") : text);
        }
    }

    private static String filled(String text, String version, Map<String, byte[]> orders) {
        String filled = text.replace("{V}", version);
        for (Map.Entry<String, byte[]> order : orders.entrySet()) {
            filled = filled.replace("{" + order.getKey() + "}", idOf(order.getValue()));
        }
        return filled;
    }
}
