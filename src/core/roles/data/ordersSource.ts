/**
 * The order server in one file of Java, as the role puts it on a machine and tests run it; what it
 * answers is in docs/tilekit.md, Scenario orders.
 */
export const ordersJava = String.raw`import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * An order-processing server in one JVM: java Orders.java [address] [port] [threads]. All it knows is
 * in memory. With "warehouses N SECONDS" the same work is done inside this JVM, a thread for each
 * warehouse, without a network and without a pause, in the style of a Java server benchmark.
 */
public class Orders {
  static final int ITEMS = 10_000;
  static final int KEPT = 200_000;
  static final int DELIVERED_AT_ONCE = 10;

  /** An order; paid once. */
  static final class Order {
    final long number;
    final long cents;
    boolean paid;

    Order(long number, long cents) {
      this.number = number;
      this.cents = cents;
    }
  }

  final AtomicLongArray stock = new AtomicLongArray(ITEMS);
  final Map<Long, Order> orders = new ConcurrentHashMap<>();
  final ConcurrentLinkedQueue<Order> toDeliver = new ConcurrentLinkedQueue<>();
  final AtomicLong numbers = new AtomicLong();
  final LongAdder placed = new LongAdder();
  final LongAdder lines = new LongAdder();
  final LongAdder cents = new LongAdder();
  final LongAdder payments = new LongAdder();
  final LongAdder paidCents = new LongAdder();
  final LongAdder delivered = new LongAdder();
  final LongAdder deliveries = new LongAdder();
  final LongAdder statuses = new LongAdder();
  final LongAdder stocks = new LongAdder();

  Orders() {
    for (int item = 0; item < ITEMS; item++) stock.set(item, 100);
  }

  static long price(int item) {
    return 100 + (long) item * 7_919 % 9_900;
  }

  Order place(int[] items, int[] quantities) {
    long sum = 0;
    for (int i = 0; i < items.length; i++) {
      int quantity = quantities[i];
      // What runs out is delivered to the warehouse anew, as TPC-C does (clause 2.4.2.2).
      stock.updateAndGet(items[i], left -> left - quantity >= 10 ? left - quantity : left - quantity + 91);
      sum += price(items[i]) * quantity;
    }
    Order order = new Order(numbers.incrementAndGet(), sum);
    orders.put(order.number, order);
    orders.remove(order.number - KEPT);
    placed.increment();
    lines.add(items.length);
    cents.add(sum);
    return order;
  }

  boolean pay(Order order) {
    synchronized (order) {
      if (order.paid) return false;
      order.paid = true;
    }
    toDeliver.add(order);
    payments.increment();
    paidCents.add(order.cents);
    return true;
  }

  int deliver() {
    int count = 0;
    while (count < DELIVERED_AT_ONCE && toDeliver.poll() != null) count++;
    deliveries.increment();
    delivered.add(count);
    return count;
  }

  String sums() {
    return "{\"orders\":" + placed.sum() + ",\"lines\":" + lines.sum() + ",\"cents\":" + cents.sum()
        + ",\"payments\":" + payments.sum() + ",\"paidCents\":" + paidCents.sum()
        + ",\"delivered\":" + delivered.sum() + ",\"deliveries\":" + deliveries.sum()
        + ",\"statuses\":" + statuses.sum() + ",\"stocks\":" + stocks.sum() + "}";
  }

  /** What a request asks for was not to be had. */
  static final class Refused extends RuntimeException {
    Refused(String why) {
      super(why);
    }
  }

  static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> values = new HashMap<>();
    String text = exchange.getRequestURI().getQuery();
    if (text == null) return values;
    for (String part : text.split("&")) {
      int at = part.indexOf('=');
      if (at > 0) values.put(part.substring(0, at), part.substring(at + 1));
    }
    return values;
  }

  static long number(Map<String, String> values, String name) {
    try {
      return Long.parseLong(values.getOrDefault(name, ""));
    } catch (NumberFormatException wrong) {
      throw new Refused(name + " is no number");
    }
  }

  Order known(Map<String, String> values) {
    Order order = orders.get(number(values, "order"));
    if (order == null) throw new Refused("there is no such order");
    return order;
  }

  String placeFor(Map<String, String> values) {
    String[] parts = values.getOrDefault("lines", "").split(",");
    if (parts.length > 1_000) throw new Refused("an order has at most 1000 lines");
    int[] items = new int[parts.length];
    int[] quantities = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      int at = parts[i].indexOf(':');
      try {
        items[i] = Integer.parseInt(parts[i].substring(0, Math.max(at, 0)));
        quantities[i] = Integer.parseInt(parts[i].substring(at + 1));
      } catch (NumberFormatException wrong) {
        throw new Refused("a line is item:quantity");
      }
      if (items[i] < 0 || items[i] >= ITEMS || quantities[i] < 1 || quantities[i] > 10)
        throw new Refused("there is no such item, or not so many");
    }
    Order order = place(items, quantities);
    return "{\"order\":" + order.number + ",\"cents\":" + order.cents + "}";
  }

  String answer(String method, String path, Map<String, String> values) {
    if (path.equals("/about")) return "{\"orders\":\"tilebench\",\"items\":" + ITEMS + "}";
    if (path.equals("/sums")) return sums();
    if (path.equals("/status")) {
      Order order = known(values);
      statuses.increment();
      return "{\"order\":" + order.number + ",\"cents\":" + order.cents + ",\"paid\":" + order.paid + "}";
    }
    if (path.equals("/stock")) {
      long item = number(values, "item");
      if (item < 0 || item >= ITEMS) throw new Refused("there is no such item");
      stocks.increment();
      return "{\"item\":" + item + ",\"stock\":" + stock.get((int) item) + "}";
    }
    if (!method.equals("POST")) throw new Refused("only by POST");
    if (path.equals("/order")) return placeFor(values);
    if (path.equals("/deliver")) return "{\"delivered\":" + deliver() + "}";
    if (!path.equals("/pay")) throw new Refused("there is no such page");
    Order order = known(values);
    if (!pay(order)) throw new Refused("it is paid already");
    return "{\"order\":" + order.number + ",\"cents\":" + order.cents + ",\"paid\":true}";
  }

  void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String text;
      int status = 200;
      try {
        text = answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), query(exchange));
      } catch (Refused refused) {
        status = 400;
        text = "{\"problem\":\"" + refused.getMessage() + "\"}";
      }
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** One operation of a warehouse, with the same mix as from outside. */
  void work(ThreadLocalRandom random, Order[] last) {
    int share = random.nextInt(100);
    if (last[0] == null || share < 45) {
      int count = 1 + random.nextInt(19);
      int[] items = new int[count];
      int[] quantities = new int[count];
      for (int i = 0; i < count; i++) {
        items[i] = random.nextInt(ITEMS);
        quantities[i] = 1 + random.nextInt(10);
      }
      last[0] = place(items, quantities);
    } else if (share < 88) {
      pay(last[0]);
    } else if (share < 92) {
      statuses.increment();
    } else if (share < 96) {
      deliver();
    } else {
      stocks.increment();
    }
  }

  static void warehouses(int count, int seconds) throws InterruptedException {
    LongAdder done = new LongAdder();
    Orders[] all = new Orders[count];
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    Thread[] threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      Orders own = all[i] = new Orders();
      threads[i] = new Thread(() -> {
        Order[] last = new Order[1];
        while (System.nanoTime() < end) {
          own.work(ThreadLocalRandom.current(), last);
          done.increment();
        }
      });
      threads[i].start();
    }
    long before = 0;
    long began = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      Thread.sleep(Math.max(0, (began + second * 1_000_000_000L - System.nanoTime()) / 1_000_000));
      long now = done.sum();
      System.out.println("{\"second\":" + second + ",\"operations\":" + (now - before) + "}");
      before = now;
    }
    for (Thread thread : threads) thread.join();
    long orders = 0;
    long sum = 0;
    for (Orders one : all) {
      orders += one.placed.sum();
      sum += one.cents.sum();
    }
    System.out.println("{\"end\":true,\"operations\":" + done.sum() + ",\"orders\":" + orders + ",\"cents\":" + sum + "}");
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 3 && args[0].equals("warehouses")) {
      warehouses(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      return;
    }
    // Else each answer waits 40 ms for the client's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    String listen = args.length > 0 ? args[0] : "0.0.0.0";
    int port = args.length > 1 ? Integer.parseInt(args[1]) : 8090;
    int threads = args.length > 2 ? Integer.parseInt(args[2]) : 64;
    HttpServer server = HttpServer.create(new InetSocketAddress(listen, port), 4096);
    server.setExecutor(Executors.newFixedThreadPool(threads));
    Orders orders = new Orders();
    server.createContext("/", orders::handle);
    server.start();
    System.out.println("{\"listens\":" + server.getAddress().getPort() + "}");
  }
}
`;
